/** What would leave a rehearsal is recorded instead. (R3) */

export const outboxKinds = ['chat', 'webhook', 'mail', 'notification', 'push', 'stream', 'assistant', 'lookup'] as const
export type OutboxKind = (typeof outboxKinds)[number]

export const messageStatuses = ['sent', 'failed', 'waiting'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** An attempt to send a message, by the clock of the rehearsal. */
export interface OutboxAttempt {
  readonly at: Date
  /** The HTTP status that was answered. */
  readonly status: number
}

export interface OutboxMessage {
  readonly guid: string
  /** The order in which messages were recorded. */
  readonly place: number
  readonly kind: OutboxKind
  readonly at: Date
  /** A name or a setting, never an address. */
  readonly to: string
  /** Its recipient; null for a setting or a service. */
  readonly userGuid: string | null
  readonly subject: string
  /** As it would be sent. */
  readonly body: string
  readonly status: MessageStatus
  readonly attempts: readonly OutboxAttempt[]
}

export interface NewMessage extends Pick<OutboxMessage, 'kind' | 'at' | 'to' | 'userGuid' | 'subject' | 'body'> {
  /** When it is not worth sending any more; null for never. */
  readonly until: Date | null
}

/** How the receivers of a kind of messages answer. */
export interface Fault {
  readonly answer: 'ok' | 'fail' | 'limit'
  /** The HTTP status of `fail`, from 400 to 599. */
  readonly status: number
  /** By how much the first attempt is late, in seconds. */
  readonly delaySeconds: number
  /** How long `limit` asks to wait, in seconds; 0 if it does not say. */
  readonly retryAfter: number
  /** The part of the attempts that it concerns, from 0 to 1. */
  readonly share: number
}
export type Faults = { readonly [Kind in OutboxKind]?: Fault }

/** What an attempt is answered. */
export interface RecordedAnswer {
  readonly status: number
  readonly retryAfterMs: number | null
}

/** What follows from an answer. */
export type Verdict = { readonly kind: 'sent' | 'dropped' } | { readonly kind: 'retry'; readonly at: Date }

/** The rule of a sender for the next step after an answer. */
export type Judge = (
  message: { readonly attempts: number; readonly until: Date | null },
  answer: RecordedAnswer,
  now: Date,
) => Verdict
