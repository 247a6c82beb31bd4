import type { PlatformRole } from '../../../core/roles.ts'

/** A community that tournaments may ask to be listed on. (rest-interface: Tournament platform) */
export interface Platform {
  readonly guid: string
  /** Short id, in lower case. (D6) */
  readonly contextId: string
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Empty where there is none. */
  readonly imageUrl: string
  readonly websiteUrl: string | null
  /** Decides on the main listing, and with it on a tournament's approval. (D25) */
  readonly isSystem: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What may happen on a platform and be told to its webhooks; the log knows each as `platform.<event>`. (rest-interface: Platform webhooks) */
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

/** Secret but for the list of events: addresses are for administrators of the platform, the secret for deliveries alone. */
export interface PlatformSettings {
  readonly chatWebhookUrl: string | null
  readonly customWebhookUrl: string | null
  readonly customWebhookSecret: string | null
  /** Those that are delivered, in the order of `webhookEvents`. */
  readonly webhookEvents: readonly WebhookEvent[]
}

export interface PlatformMember {
  readonly userGuid: string
  readonly role: PlatformRole
  readonly addedAt: Date
}
