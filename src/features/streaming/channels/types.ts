import type { MatchStatus } from '../../../engine/types.ts'

/** A channel on which the audience of a tournament watches its stream. */
export interface Channel {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  readonly url: string
  /** The delay of the channel's stream. */
  readonly delaySeconds: number
  /** The channel's place in the list, from 0. */
  readonly position: number
  /** Grows with each change of the channel's queue. */
  readonly queueRevision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The list of a tournament's channels. */
export interface ChannelList {
  readonly channels: readonly Channel[]
  /** Grows with each change of the list. */
  readonly revision: number
}

export const queueStatuses = ['queued', 'next', 'live', 'done'] as const
export type QueueStatus = (typeof queueStatuses)[number]

export interface QueueEntry {
  readonly matchGuid: string
  readonly status: QueueStatus
  readonly plannedAt: Date | null
}

/** A queue entry with the number and status of its match. */
export interface ListedEntry extends QueueEntry {
  readonly matchNumber: number
  readonly matchStatus: MatchStatus
}
