import type { MatchStatus } from '../../../engine/types.ts'

/** What the audience of a tournament watches. */
export interface Channel {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  readonly url: string
  /** How far what it shows is behind. */
  readonly delaySeconds: number
  /** Its place in the list, from 0. */
  readonly position: number
  /** Grows with each change of its queue. */
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

/** An entry with what it is shown by, and what it follows. */
export interface ListedEntry extends QueueEntry {
  readonly matchNumber: number
  readonly matchStatus: MatchStatus
}
