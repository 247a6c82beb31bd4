import type { PlatformRole } from '../../../core/roles.ts'
import type { UserFacts } from '../../people/users/types.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { Platform, WebhookEvent } from '../platforms/types.ts'
import type { RequestStatus } from '../visibility/types.ts'

export const channels = ['chat', 'custom'] as const
export type Channel = (typeof channels)[number]

/** One way out of a platform. What goes through it goes one after the other, in the order in which it happened. (D34) */
export interface Queue {
  readonly platformGuid: string
  readonly channel: Channel
}

/**
 * - `pending`: waits for those in front of it, or for its next attempt
 * - `sending`: an attempt is under way
 * - `failed`: given up
 * - `stopped`: there was nowhere to send it: the address is gone for good, or was removed
 */
export const deliveryStatuses = ['pending', 'sending', 'delivered', 'failed', 'stopped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Delivery extends Queue {
  readonly guid: string
  readonly event: WebhookEvent
  readonly status: DeliveryStatus
  /** Since it was put in the queue. */
  readonly attempts: number
  /** When what it tells of happened. */
  readonly createdAt: Date
  /** When it was put in the queue: then, or when it was last replayed. */
  readonly queuedAt: Date
  readonly nextAttemptAt: Date
  readonly finishedAt: Date | null
}

/** An attempt without a status and an error is under way. */
export interface Attempt {
  readonly at: Date
  /** null when no answer came. */
  readonly status: number | null
  readonly durationMs: number | null
  /** Why it did not succeed, as a sentence. */
  readonly error: string | null
}

/** A delivery with its attempts, and the number of what it tells of in the event log. */
export interface RecordedDelivery extends Delivery {
  readonly eventSeq: number
  /** The oldest first. */
  readonly record: readonly Attempt[]
}

/** What a delivery says of a tournament. */
export interface ToldTournament {
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
  readonly status: TournamentStatus
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** Something that happened on a platform, with all that is told of it. */
export interface Occurrence {
  readonly event: WebhookEvent
  readonly at: Date
  readonly platform: Platform
  readonly subject: RequestFacts | MemberFacts
}

export interface RequestFacts {
  readonly kind: 'request'
  readonly guid: string
  readonly status: RequestStatus
  readonly reason: string | null
  /** null for one that was deleted meanwhile. */
  readonly tournament: ToldTournament | null
}

export interface MemberFacts {
  readonly kind: 'member'
  readonly user: UserFacts
  /** That they have, or had when they were removed. */
  readonly role: PlatformRole
}
