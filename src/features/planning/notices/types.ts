/** From the least to the most urgent. (domain: Notice) */
export const noticeLevels = ['info', 'warning', 'critical'] as const
export type NoticeLevel = (typeof noticeLevels)[number]

/** The viewers of a notice. Each audience is part of the previous one. (domain: Notice) */
export const noticeAudiences = ['everyone', 'signed-in', 'staff'] as const
export type NoticeAudience = (typeof noticeAudiences)[number]

/** A message of the site's operators to its visitors. */
export interface Notice {
  readonly guid: string
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly level: NoticeLevel
  readonly link: string | null
  readonly startsAt: Date
  /** null: the notice does not end by itself. */
  readonly endsAt: Date | null
  /** Whether a visitor may dismiss the notice. */
  readonly dismissible: boolean
  readonly audience: NoticeAudience
  readonly createdByGuid: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The settings of a notice. */
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
