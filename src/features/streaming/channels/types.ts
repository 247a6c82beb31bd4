/** What the audience of a tournament watches. */
export interface Channel {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  readonly url: string
  /** How far what it shows is behind. */
  readonly delaySeconds: number
  /** Its place in the list. */
  readonly position: number
}

export const queueStatuses = ['queued', 'next', 'live', 'done'] as const
export type QueueStatus = (typeof queueStatuses)[number]

export interface QueueEntry {
  readonly matchGuid: string
  readonly status: QueueStatus
  readonly plannedAt: Date | null
}
