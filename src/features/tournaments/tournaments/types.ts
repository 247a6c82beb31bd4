/** The tournament record and its parts. (additions: Tournament record) */

export const tournamentStatuses = ['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const
export type TournamentStatus = (typeof tournamentStatuses)[number]

/** Statuses in which a tournament may stand on a public list. (D26) */
export const listedStatuses = ['approved', 'ongoing', 'completed'] as const satisfies readonly TournamentStatus[]

/** Those of a tournament that is not over. (D52) */
export const activeStatuses = ['draft', 'approved', 'ongoing'] as const satisfies readonly TournamentStatus[]

export const visibilityScopes = ['all', 'selected'] as const
export type VisibilityScope = (typeof visibilityScopes)[number]

/** Who is told of scores while a map is played. */
export const liveScores = ['public', 'staff'] as const
export type LiveScores = (typeof liveScores)[number]

export interface RankRange {
  readonly min?: number
  readonly max?: number
}

/** All optional; an absent one is not required. */
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

/** Whom an additional field asks: the team as one, or each of its players. */
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
  /** Answers are shown to staff alone. */
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
  /** `active` of them are on the field. */
  readonly teamSizeMin: number
  readonly teamSizeMax: number
  readonly teamSizeActive: number
  /** Registered teams at most; null for no limit. */
  readonly capacity: number | null
  readonly publicRegistration: boolean
  readonly requirements: Requirements
  readonly additionalFields: readonly AdditionalField[]
  readonly links: Links
  readonly organiserGuid: string
  readonly visibilityScope: VisibilityScope
  readonly chatWebhookUrl: string | null
  /** By so much what viewers see is late where they ask for it. (RT40) */
  readonly streamDelaySeconds: number
  readonly liveScores: LiveScores
  readonly placements: readonly Placement[]
  readonly approvedAt: Date | null
  readonly completedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What may be set of a tournament. */
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
  'streamDelaySeconds',
  'liveScores',
] as const satisfies readonly (keyof Tournament)[]

export type Settings = Pick<Tournament, (typeof settingColumns)[number]>
