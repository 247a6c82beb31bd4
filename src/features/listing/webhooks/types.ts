import type { PlatformRole } from '../../../core/roles.ts'
import type { UserFacts } from '../../people/users/types.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { Platform, WebhookEvent } from '../platforms/types.ts'
import type { RequestStatus } from '../visibility/types.ts'

export const channels = ['chat', 'custom'] as const
export type Channel = (typeof channels)[number]

/** One channel of a platform. Its deliveries are sent one after the other, in the order of their events. (D34) */
export interface Queue {
  readonly platformGuid: string
  readonly channel: Channel
}

/**
 * - `pending`: waits for the deliveries before it, or for its next attempt
 * - `sending`: an attempt is being made
 * - `failed`: given up
 * - `stopped`: there is no address to send to: it is gone for good, or was removed
 */
export const deliveryStatuses = ['pending', 'sending', 'delivered', 'failed', 'stopped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Delivery extends Queue {
  readonly guid: string
  readonly event: WebhookEvent
  readonly status: DeliveryStatus
  /** The number of attempts since it was put into the queue. */
  readonly attempts: number
  /** When the event happened. */
  readonly createdAt: Date
  /** When it was put into the queue: at the event, or at the last replay. */
  readonly queuedAt: Date
  readonly nextAttemptAt: Date
  readonly finishedAt: Date | null
}

/** An attempt; without status and error it is still being made. */
export interface Attempt {
  readonly at: Date
  /** null if there was no answer. */
  readonly status: number | null
  readonly durationMs: number | null
  /** Why the attempt failed, as a sentence. */
  readonly error: string | null
}

/** A delivery with its attempts, and the sequence number of its event in the log. */
export interface RecordedDelivery extends Delivery {
  readonly eventSeq: number
  /** Oldest first. */
  readonly record: readonly Attempt[]
}

/** The members of a tournament in a delivery. */
export interface DeliveredTournament {
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
  readonly status: TournamentStatus
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** An event of a platform, with everything that its delivery contains. */
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
  /** null if the tournament was deleted meanwhile. */
  readonly tournament: DeliveredTournament | null
}

export interface MemberFacts {
  readonly kind: 'member'
  readonly user: UserFacts
  /** The member's role; after a removal, the last role. */
  readonly role: PlatformRole
}
