import type { AnnouncementKind } from '../tournaments/types.ts'

/** What is, or will be, said of one thing that happened: of a match, a round, a team. */
export interface Matter {
  readonly guid: string
  readonly tournamentGuid: string
  readonly kind: AnnouncementKind
  /** The match, bracket, team, pool, stream session or tournament. */
  readonly subjectGuid: string
  /** What the text needs apart from the subject. */
  readonly detail: Detail
  readonly happenedAt: Date
  /** When it may be said, or what was said is to be checked; null if there is nothing to do. */
  readonly dueAt: Date | null
  /** The announcement that said it; null until then. */
  readonly announcementGuid: string | null
}

/** What something is said of, before it is stored. */
export interface NewMatter extends Pick<Matter, 'tournamentGuid' | 'kind' | 'subjectGuid' | 'detail' | 'happenedAt'> {
  /** Unique in the tournament and the kind: what has the same key is said once. */
  readonly key: string
  /** The match whose delay counts; null for the tournament's. */
  readonly matchGuid: string | null
  /** Whether it is held back like the stream: whatever tells of the competition. (RT40) */
  readonly isDelayed: boolean
  /** When it may be said at the earliest, apart from the delay. */
  readonly notBefore: Date
}

export interface Detail {
  /** Of a call. */
  readonly message?: string
  /** `upper:2`: the section and round that can be played. */
  readonly round?: string
  /** The time of a match before it was changed; null if it had none. */
  readonly scheduledBefore?: string | null
  /** How many matches a schedule placed. */
  readonly placed?: number
  /** Of a registration: the instant that it opens or closes at. */
  readonly at?: string
}

/** A message that was made of one or more matters of one kind. Its delivery has the same GUID. */
export interface Announcement {
  readonly guid: string
  readonly tournamentGuid: string
  readonly kind: AnnouncementKind
  readonly channel: string
}
