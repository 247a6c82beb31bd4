export interface TimelineEvent {
  readonly guid: string
  readonly title: string
  /** Plain text. */
  readonly description: string | null
  /** The name of an icon. */
  readonly icon: string
  readonly startTime: Date
  readonly endTime: Date | null
}

export type NewTimelineEvent = Omit<TimelineEvent, 'guid'>
