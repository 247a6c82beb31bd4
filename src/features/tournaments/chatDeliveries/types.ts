import type { ChatMessage } from '../../../infra/clients/chat-webhooks.ts'

export const deliveryStatuses = [
  'none',
  'pending',
  'sending',
  'delivered',
  'failed',
  'removing',
  'removal_failed',
] as const
/** `none` is the status of what is not sent to the chat. (D33) */
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

/** The channel of a tournament's own webhook; further ones are named by their labels. (D85) */
export const mainChannel = 'main'

/** What is delivered to one chat channel: an update, or an announcement of what happened. */
export interface Delivery {
  /** That of the update or of the announcement. */
  readonly guid: string
  readonly tournamentGuid: string
  /** `main`, or the label of one of the tournament's further webhooks. */
  readonly channel: string
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

/** The result of a request. */
export type Outcome =
  | {
      readonly kind: 'done'
      /** The new message; null for a change or a removal. */
      readonly sent: { readonly messageId: string; readonly webhookUrl: string; readonly knowsNonce: boolean } | null
    }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'fault'
      /** A sentence for the staff. */
      readonly error: string
      /** Whether trying again may help. */
      readonly isPassing: boolean
      /** Set when a rate limit was hit: how long to wait, in milliseconds; null if the platform did not say. */
      readonly limit?: { readonly waitMs: number | null }
      /** Whether the answer was lost, so that the request may have succeeded. */
      readonly mayBeDone: boolean
    }
