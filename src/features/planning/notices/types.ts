/** From the least to the most urgent. (domain: Notice) */
export const noticeLevels = ['info', 'warning', 'critical'] as const
export type NoticeLevel = (typeof noticeLevels)[number]

/** Whom a notice is meant for, each audience within the one before. (domain: Notice) */
export const noticeAudiences = ['everyone', 'signed-in', 'staff'] as const
export type NoticeAudience = (typeof noticeAudiences)[number]

/** A message of those who run the site to its visitors. */
export interface Notice {
  readonly guid: string
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly level: NoticeLevel
  readonly link: string | null
  readonly startsAt: Date
  /** null: until it is changed or deleted. */
  readonly endsAt: Date | null
  /** Whether a visitor may put it away. */
  readonly dismissible: boolean
  readonly audience: NoticeAudience
  readonly createdByGuid: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What may be set of a notice. */
export const noticeSettings = [
  'title',
  'content',
  'level',
  'link',
  'startsAt',
  'endsAt',
  'dismissible',
  'audience',
] as const satisfies readonly (keyof Notice)[]

export type NoticeSettings = Pick<Notice, (typeof noticeSettings)[number]>
