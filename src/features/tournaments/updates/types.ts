import type { ChatMessage } from '../../../infra/clients/chat-webhooks.ts'

/** A card that shows a change by its before and after; it has no fixed form. (rest-interface: Tournament update) */
export type Card = Readonly<Record<string, unknown>>

/** The texts of an update. */
export interface Content {
  /** Plain text on one line; may be empty. */
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly changes: readonly Card[]
}

export interface Update extends Content {
  /** Chosen by the client that published the update. */
  readonly guid: string
  readonly tournamentGuid: string
  /** The SHA-256 of the first publication. */
  readonly publishedHash: Buffer
  readonly createdAt: Date
  /** null until the first edit. (D51) */
  readonly updatedAt: Date | null
  /** When the update was deleted. Only its row with the GUID stays. */
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
/** `none` is the status of an update without a delivery. (D33) */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const partStatuses = ['pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed'] as const
/** If no run is sending a `sending` part, its answer was lost and the result is unknown. */
export type PartStatus = (typeof partStatuses)[number]

/** One message in the chat: its current and its wanted state. */
export interface Part {
  readonly index: number
  readonly status: PartStatus
  /** The wanted text; null if the message is to be removed. */
  readonly message: ChatMessage | null
  /** null as long as the message is not known to be in the chat. */
  readonly messageId: string | null
  /** A secret: the webhook through which the message was sent. Only this webhook can change it. */
  readonly webhookUrl: string | null
  /** The delivery's revision when this part last got another text. */
  readonly revision: number
  /**
   * When the first attempt was made whose answer was lost: the text may be in the chat twice. null if none was lost.
   */
  readonly uncertainSince: Date | null
}

/** The chat announcement of one update. */
export interface Delivery {
  readonly updateGuid: string
  readonly status: Exclude<DeliveryStatus, 'none'>
  /** In the order of the messages in the chat. */
  readonly parts: readonly Part[]
  /** Grows whenever a part gets another text. */
  readonly revision: number
  /** How many times the delivery was started. */
  readonly attempts: number
  /** The number of failed attempts since the last success. */
  readonly failures: number
  /** A sentence for the staff; never contains a secret. */
  readonly lastError: string | null
  /** No attempt is made before this instant. */
  readonly nextAttemptAt: Date | null
  /** When the delivery stops waiting and fails; null if it waits without limit. */
  readonly giveUpAt: Date | null
  readonly updatedAt: Date
}
