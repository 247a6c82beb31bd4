/** (awards: States of an edition) */
export const editionStatuses = [
  'draft',
  'nominating',
  'shortlisting',
  'voting',
  'counting',
  'published',
  'cancelled',
] as const
export type EditionStatus = (typeof editionStatuses)[number]

export const linkRules = ['ranking-a', 'ranking-b', 'either', 'none'] as const
export type LinkRule = (typeof linkRules)[number]

export const tieRules = ['shared', 'runoff'] as const
export type TieRule = (typeof tieRules)[number]

export const nomineeTypes = ['user', 'tournament', 'team', 'map', 'other'] as const
export type NomineeType = (typeof nomineeTypes)[number]

/** Who may take part, and what ties come to. Instants are ISO 8601 in UTC. (awards: Records) */
export interface EditionRules {
  readonly accountBefore: string
  readonly link: LinkRule
  /** null where it is `accountBefore`. */
  readonly linkBefore: string | null
  readonly minTournamentsPlayed: number
  readonly selfNomination: boolean
  readonly nominationsPerCategory: number
  readonly tie: TieRule
  readonly showCounts: boolean
}

/** Why somebody may not vote or nominate, or why a vote does not count. (A2, A3) */
export const failureCodes = [
  'banned',
  'bot',
  'account_too_new',
  'link_missing',
  'link_too_new',
  'too_few_tournaments',
] as const
export type Failure = (typeof failureCodes)[number]

export interface Edition {
  readonly guid: string
  /** Of its address, such as `2026`. */
  readonly id: string
  readonly title: string
  /** Markdown. */
  readonly description: string
  readonly bannerUrl: string | null
  readonly status: EditionStatus
  readonly nominationsOpenAt: Date
  readonly nominationsCloseAt: Date
  readonly votingOpensAt: Date
  readonly votingClosesAt: Date
  /** null for by hand. */
  readonly publishAt: Date | null
  readonly rules: EditionRules
  /** GUIDs of categories in which the tied nominees are voted for once more; null while no runoff is held. (A9) */
  readonly runoffCategories: readonly string[] | null
  readonly runoffClosesAt: Date | null
  readonly cancelReason: string | null
  readonly publishedAt: Date | null
  /** When managers were first answered by counts; from then on exclusions stay as they are. (A4, A5) */
  readonly exclusionsFixedAt: Date | null
  readonly votesDeletedAt: Date | null
  readonly results: EditionResults | null
  readonly corrections: readonly Correction[]
  readonly turnout: number
  readonly turnoutAt: Date | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Category {
  readonly guid: string
  readonly editionGuid: string
  readonly name: string
  readonly description: string
  readonly order: number
  readonly nomineeType: NomineeType
  readonly shortlistSize: number
  readonly badgeGuid: string | null
  /** GUIDs of who were tied in the first round, once a runoff is held. (A9) */
  readonly runoffNominees: readonly string[] | null
}

/** What is proposed, or can be voted for: a record of the category's type, or words with a link. */
export interface Target {
  /** By the type of the category; its record may be gone since. */
  readonly targetGuid: string | null
  readonly label: string | null
  readonly link: string | null
}

/** What one user proposes. */
export interface Nomination extends Target {
  readonly guid: string
  readonly categoryGuid: string
  readonly userGuid: string
  /** By which the same target of the same user is recognised. (A3) */
  readonly targetKey: string
  readonly reason: string | null
  /** What it was merged into. */
  readonly nomineeGuid: string | null
  readonly createdAt: Date
  readonly withdrawnAt: Date | null
}

export interface Nominee {
  readonly guid: string
  readonly categoryGuid: string
  readonly label: string
  readonly imageUrl: string | null
  readonly link: string | null
  readonly description: string
  readonly targetGuid: string | null
  /** GUIDs of the members of a team, as it was when nominations closed. (A12) */
  readonly members: readonly string[]
  readonly declinedAt: Date | null
  readonly result: NomineeResult | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A nominee with where it stands, and who may decline. */
export interface PlacedNominee extends Nominee {
  readonly edition: Edition
  readonly category: Category
  /** GUIDs of the nominated user, the organiser and admins of the tournament, or the captain of the team. */
  readonly deciders: readonly string[]
}

/** Of a nominee, once it is published. (A8) */
export interface NomineeResult {
  /** null where nobody voted in the category. */
  readonly place: number | null
  readonly votes: number
  /** Of the ballots in the category, 0 to 1. */
  readonly share: number
  readonly winner: boolean
  /** Of a runoff that it was in. (A9) */
  readonly runoff: { readonly votes: number; readonly share: number } | null
}

/** Of an edition, once it is published. (A10) */
export interface EditionResults {
  /** Users of whom at least one vote counts. */
  readonly voters: number
  /** Votes that do not count, and why; `manager` are those of users whom managers left out. */
  readonly excluded: { readonly votes: number; readonly byReason: Readonly<Record<string, number>> }
  /** Hexadecimal SHA-256 of all ballots. */
  readonly ballotsDigest: string
  /** Of the ballots of runoffs alone; null where there was none. */
  readonly runoffDigest: string | null
}

/** What a recount has changed, for everybody to read. (A11) */
export interface Correction {
  readonly at: string
  readonly reason: string
}
