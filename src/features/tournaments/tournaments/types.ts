/** The tournament record and its parts. (additions: Tournament record) */

export const tournamentStatuses = ['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const
export type TournamentStatus = (typeof tournamentStatuses)[number]

/** Statuses in which a tournament may be on a public list. (D26) */
export const listedStatuses = ['approved', 'ongoing', 'completed'] as const satisfies readonly TournamentStatus[]

/** Statuses of a tournament that is not over. (D52) */
export const activeStatuses = ['draft', 'approved', 'ongoing'] as const satisfies readonly TournamentStatus[]

export const visibilityScopes = ['all', 'selected'] as const
export type VisibilityScope = (typeof visibilityScopes)[number]

/** Who sees scores while a map is played. */
export const liveScores = ['public', 'staff'] as const
export type LiveScores = (typeof liveScores)[number]

/** `held`: outsiders see the competition only as it was when the stream was there. (V1) */
export const spoilerModes = ['open', 'held'] as const
export type SpoilerMode = (typeof spoilerModes)[number]

/** What a tournament can tell its chat by itself. (additions: The chat channel tells what happens) */
export const announcementKinds = [
  'match_called',
  'match_started',
  'match_finished',
  'round_ready',
  'schedule_changed',
  'registration_opened',
  'registration_closing',
  'team_registered',
  'bracket_published',
  'pool_published',
  'stream_live',
  'placements',
] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

/** The channel of each kind: `main` for the tournament's webhook, or a label; an absent kind is off. (D85) */
export type Announcements = { readonly [Kind in AnnouncementKind]?: string }

/** The IDs of the chat's roles that are mentioned in messages of a kind. */
export type AnnouncementRoles = { readonly [Kind in AnnouncementKind]?: readonly string[] }

/** A further webhook of the tournament's chat. The address is a secret. */
export interface ChatWebhook {
  readonly label: string
  readonly url: string
}

export interface RankRange {
  readonly min?: number
  readonly max?: number
}

/** The requirements for players. All are optional; an absent member requires nothing. */
export interface Requirements {
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[]
  readonly rankA?: RankRange
  readonly rankB?: RankRange
  readonly rankingA?: boolean
  readonly rankingB?: boolean
  readonly emailVerified?: boolean
  readonly chatAccountAgeDays?: number
  readonly verifiedLinks?: boolean
}

export const fieldTypes = ['text', 'number', 'select', 'map', 'boolean'] as const
export type FieldType = (typeof fieldTypes)[number]

/** Who answers an additional field: the team as a whole, or each of its players. */
export const fieldSubjects = ['team', 'player'] as const
export type FieldSubject = (typeof fieldSubjects)[number]

export interface AdditionalField {
  readonly guid: string
  readonly label: string
  readonly help: string | null
  readonly type: FieldType
  readonly required: boolean
  readonly options: readonly string[]
  readonly subject: FieldSubject
  /** Whether only staff see the answers. */
  readonly private: boolean
}

export interface Links {
  readonly chatInvite: string | null
  readonly website: string | null
  readonly stream: string | null
  readonly rulesUrl: string | null
}

export interface Placement {
  readonly place: number
  readonly teamGuid: string
}

export interface Counts {
  readonly teams: number
  readonly registered: number
  readonly qualified: number
  readonly players: number
}

export interface Tournament {
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly summary: string | null
  readonly description: string | null
  readonly rules: string | null
  readonly prizes: string | null
  readonly imageUrl: string | null
  readonly bannerUrl: string | null
  readonly status: TournamentStatus
  readonly timezone: string
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly registrationOpensAt: Date | null
  readonly registrationClosesAt: Date | null
  readonly rosterLocksAt: Date | null
  /** `teamSizeActive` is how many players of a team are on the field. */
  readonly teamSizeMin: number
  readonly teamSizeMax: number
  readonly teamSizeActive: number
  /** The maximum number of registered teams; null for no limit. */
  readonly capacity: number | null
  readonly publicRegistration: boolean
  readonly requirements: Requirements
  readonly additionalFields: readonly AdditionalField[]
  readonly links: Links
  readonly organiserGuid: string
  readonly visibilityScope: VisibilityScope
  readonly chatWebhookUrl: string | null
  readonly chatWebhooks: readonly ChatWebhook[]
  readonly announcements: Announcements
  readonly announcementRoles: AnnouncementRoles
  /** BCP 47, of the texts that the service writes for the tournament. */
  readonly language: string
  /** The delay, in seconds, of what is shown to viewers who ask for it. (RT40) */
  readonly streamDelaySeconds: number
  readonly liveScores: LiveScores
  /** GUID of the tournament that this one rehearses; null for a real one. (R1) */
  readonly rehearsalOf: string | null
  readonly spoilerMode: SpoilerMode
  readonly placements: readonly Placement[]
  /** What the organiser told of a cancellation; everybody reads it. */
  readonly cancelReason: string | null
  readonly approvedAt: Date | null
  readonly completedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The columns of a tournament that its settings may change. */
export const settingColumns = [
  'id',
  'name',
  'summary',
  'description',
  'rules',
  'prizes',
  'imageUrl',
  'bannerUrl',
  'timezone',
  'startsAt',
  'endsAt',
  'registrationOpensAt',
  'registrationClosesAt',
  'rosterLocksAt',
  'teamSizeMin',
  'teamSizeMax',
  'teamSizeActive',
  'capacity',
  'publicRegistration',
  'requirements',
  'additionalFields',
  'links',
  'chatWebhookUrl',
  'chatWebhooks',
  'announcements',
  'announcementRoles',
  'language',
  'streamDelaySeconds',
  'liveScores',
  'spoilerMode',
] as const satisfies readonly (keyof Tournament)[]

export type Settings = Pick<Tournament, (typeof settingColumns)[number]>
