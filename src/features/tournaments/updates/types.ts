import type { ChatMessage } from '../../../infra/clients/chat-webhooks.ts'

/** A before/after card: free in form. (rest-interface: Tournament update) */
export type Card = Readonly<Record<string, unknown>>

/** What an update says. */
export interface Content {
  /** Plain text on one line; may be empty. */
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly changes: readonly Card[]
}

export interface Update extends Content {
  /** Chosen by whoever published it. */
  readonly guid: string
  readonly tournamentGuid: string
  /** SHA-256 of what was published first. */
  readonly publishedHash: Buffer
  readonly createdAt: Date
  /** null until the first edit. (D51) */
  readonly updatedAt: Date | null
  /** Of what was deleted nothing is kept but that its GUID was used. */
  readonly deletedAt: Date | null
}

export const deliveryStatuses = [
  'none',
  'pending',
  'sending',
  'delivered',
  'failed',
  'removing',
  'removal_failed',
] as const
/** `none` is that of an update without a delivery. (D33) */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const partStatuses = ['pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed'] as const
/** A part that is `sending` while nobody sends it is one whose fate is not known: the answer was lost. */
export type PartStatus = (typeof partStatuses)[number]

/** One message in the chat, as it is and as it should be. */
export interface Part {
  readonly index: number
  readonly status: PartStatus
  /** What it should say; null when it should go. */
  readonly message: ChatMessage | null
  /** null as long as it is not known to stand in the chat. */
  readonly messageId: string | null
  /** Secret: the webhook that the message went through, and through which alone it can be changed. */
  readonly webhookUrl: string | null
  /** That of the delivery when the part was last given something else to say. */
  readonly revision: number
  /** When the first attempt was made whose answer was lost; the text may stand in the chat twice. */
  readonly uncertainSince: Date | null
}

/** The chat announcement of one update. */
export interface Delivery {
  readonly updateGuid: string
  readonly status: Exclude<DeliveryStatus, 'none'>
  /** In the order in which they stand in the chat. */
  readonly parts: readonly Part[]
  /** Grows whenever a part is given something else to say. */
  readonly revision: number
  /** How often it was taken up. */
  readonly attempts: number
  /** Attempts in vain since the last that brought it on. */
  readonly failures: number
  /** A sentence for the staff; never a secret. */
  readonly lastError: string | null
  /** Nothing is tried before then. */
  readonly nextAttemptAt: Date | null
  /** When waiting ends and it fails; null for what is tried however long it takes. */
  readonly giveUpAt: Date | null
  readonly updatedAt: Date
}
