import type { PlatformRole } from '../../../core/roles.ts'

/** A community that tournaments can ask to be listed on. (rest-interface: Tournament platform) */
export interface Platform {
  readonly guid: string
  /** Short id, in lower case. (D6) */
  readonly contextId: string
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Empty if there is no picture. */
  readonly imageUrl: string
  readonly websiteUrl: string | null
  /** The system platform decides on the main listing, and so on a tournament's approval. (D25) */
  readonly isSystem: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * The events that a platform's webhooks can receive; in the event log their types are `platform.<event>`.
 * (rest-interface: Platform webhooks)
 */
export const webhookEvents = [
  'visibility_requested',
  'visibility_approved',
  'visibility_rejected',
  'visibility_blocked',
  'visibility_withdrawn',
  'member_added',
  'member_removed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/**
 * Secret except for the list of events: administrators of the platform see the addresses; only deliveries use the
 * secret.
 */
export interface PlatformSettings {
  readonly chatWebhookUrl: string | null
  readonly customWebhookUrl: string | null
  readonly customWebhookSecret: string | null
  /** The subscribed events, in the order of `webhookEvents`. */
  readonly webhookEvents: readonly WebhookEvent[]
}

export interface PlatformMember {
  readonly userGuid: string
  readonly role: PlatformRole
  readonly addedAt: Date
}
