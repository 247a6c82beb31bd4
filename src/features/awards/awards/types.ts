import type { NomineeResult } from '../../../engine/awards/outcomes.ts'

/** The states of an edition. (awards: States of an edition) */
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

/** Who may take part, and how ties are decided. Dates are ISO 8601 in UTC. (awards: Records) */
export interface EditionRules {
  readonly accountBefore: string
  readonly link: LinkRule
  /** null: the same as `accountBefore`. */
  readonly linkBefore: string | null
  readonly minTournamentsPlayed: number
  readonly selfNomination: boolean
  readonly nominationsPerCategory: number
  readonly tie: TieRule
  readonly showCounts: boolean
}

/** Why a user may not vote or nominate, or why a vote does not count. (A2, A3) */
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
  /** The short id in its address, such as `2026`. */
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
  /** null: published by hand. */
  readonly publishAt: Date | null
  readonly rules: EditionRules
  /** GUIDs of the categories of the current runoff; null without one. (A9) */
  readonly runoffCategories: readonly string[] | null
  readonly runoffClosesAt: Date | null
  readonly cancelReason: string | null
  readonly publishedAt: Date | null
  /** When managers first got an answer that depends on the counts. From then on exclusions are fixed. (A4, A5) */
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
  /** GUIDs of the nominees that were tied in the first round; null without a runoff. (A9) */
  readonly runoffNominees: readonly string[] | null
}

/** What is nominated: a record of the category's type, or words with a link. */
export interface Target {
  /** GUID of a record of the category's type, which may be deleted by now. */
  readonly targetGuid: string | null
  readonly label: string | null
  readonly link: string | null
}

/** A user's nomination. */
export interface Nomination extends Target {
  readonly guid: string
  readonly categoryGuid: string
  readonly userGuid: string
  /** The key that recognises equal targets of a user. (A3) */
  readonly targetKey: string
  readonly reason: string | null
  /** GUID of the nominee that it was merged into; null if it was not. */
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
  /** GUIDs of a team's members when nominations closed. (A12) */
  readonly members: readonly string[]
  readonly declinedAt: Date | null
  readonly result: NomineeResult | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A nominee with its edition and category, and the users who may decline. */
export interface PlacedNominee extends Nominee {
  readonly edition: Edition
  readonly category: Category
  /** GUIDs of the nominated user, the organiser and admins of the tournament, or the captain of the team. */
  readonly deciders: readonly string[]
}

/** The results of an edition, once published. (A10) */
export interface EditionResults {
  /** The number of users with at least one vote that counts. */
  readonly voters: number
  /** Votes that do not count, by reason; `manager` counts those of users that managers excluded. */
  readonly excluded: { readonly votes: number; readonly byReason: Readonly<Record<string, number>> }
  /** Hexadecimal SHA-256 of all ballots. */
  readonly ballotsDigest: string
  /** The digest of the runoffs' ballots; null without a runoff. */
  readonly runoffDigest: string | null
}

/** A public correction after a recount. (A11) */
export interface Correction {
  readonly at: string
  readonly reason: string
}
