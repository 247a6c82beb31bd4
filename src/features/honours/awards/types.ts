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

/** Of a nominee, once it is published. (A8) */
export interface NomineeResult {
  readonly place: number | null
  readonly votes: number
  readonly share: number
  readonly winner: boolean
}

/** What a recount has changed, for everybody to read. (A11) */
export interface Correction {
  readonly at: string
  readonly reason: string
}
