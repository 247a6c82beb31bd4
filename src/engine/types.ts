/**
 * The types of the engine. The caller may use any text as the id of a team. Matches are identified by their number in
 * the bracket: numbers start at 1, are assigned when the bracket is generated, and never change. A match has a larger
 * number than its feeders, so one pass in this order settles a bracket.
 */

export const formats = ['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const
export type Format = (typeof formats)[number]

export const sections = ['upper', 'lower', 'final', 'third_place', 'group', 'swiss'] as const
export type Section = (typeof sections)[number]

export const matchStatuses = ['locked', 'waiting', 'ready', 'running', 'completed', 'cancelled'] as const
/**
 * `locked`: no team is known; `waiting`: one team is known; `ready`: both teams are known; `cancelled`: the match will
 * not be played, because the reset of a final is not needed or because no team advanced to either side.
 */
export type MatchStatus = (typeof matchStatuses)[number]

export const outcomes = ['score', 'walkover', 'double_forfeit', 'draw', 'bye'] as const
export type Outcome = (typeof outcomes)[number]

export const sideResults = ['win', 'loss', 'draw', 'forfeit'] as const
export type SideResult = (typeof sideResults)[number]

/** 0 is the first side, 1 the second. */
export type SideIndex = 0 | 1

/** The match that fills a side, by its winner or its loser. */
export interface Source {
  readonly match: number
  readonly outcome: 'winner' | 'loser'
}
export interface Target {
  readonly match: number
  readonly side: SideIndex
}

export interface Side {
  /** The slot that fills this side, counted from 1; null for a side that a match fills, and for a bye. */
  readonly slot: number | null
  readonly from: Source | null
  /** The side is empty by the structure of the bracket. */
  readonly bye: boolean
  readonly team: string | null
  /** No team will ever fill this side: it is a bye, or no team advanced from the match before. */
  readonly empty: boolean
  /** Games won, or the score of an explicit result; null before play and for byes. */
  readonly score: number | null
  readonly result: SideResult | null
}

/** A game of a match: one map played. */
export interface Game {
  readonly number: number
  /** The scores of the two sides; null where unknown. */
  readonly scores: readonly [number | null, number | null]
  /** null for a tie. Ties do not count. */
  readonly winner: SideIndex | null
  /** Further data of the caller, which the engine keeps unchanged. */
  readonly detail?: unknown
}

/** The outcomes that an explicit result may have. */
export const decisionOutcomes = ['score', 'walkover', 'double_forfeit', 'draw'] as const satisfies readonly Outcome[]

/** An explicit result, which overrides the games. */
export type Decision = DecidedResult & {
  /** Play had begun before any result was given. */
  readonly begun?: true
}

type DecidedResult =
  | { readonly outcome: 'score'; readonly winner: SideIndex; readonly scores: readonly [number, number] | null }
  | { readonly outcome: 'walkover'; readonly winner: SideIndex }
  | { readonly outcome: 'draw'; readonly scores: readonly [number, number] | null }
  | { readonly outcome: 'double_forfeit' }

/** Why a Swiss pair plays: its point group, whether one team came from a higher group, and a sentence. */
export interface Pairing {
  /** The points of the point group. */
  readonly group: number
  readonly floated: boolean
  readonly reason: string
}

/** The properties of a match that are fixed when the bracket is generated. */
export interface MatchPlan {
  readonly number: number
  readonly section: Section
  /** The round within its section, from 1. */
  readonly round: number
  /** The index of the group in a round robin, from 0; null in every other format. */
  readonly group: number | null
  readonly winnerTo: Target | null
  readonly loserTo: Target | null
  /** The second match of a grand final, played only when the lower bracket's team wins the first. */
  readonly conditional: boolean
  readonly pairing: Pairing | null
}

export interface Match extends MatchPlan {
  /** The length of the match: best of this many games; always odd. */
  readonly bestOf: number
  readonly sides: readonly [Side, Side]
  /** The reported games, in the order of their numbers. */
  readonly games: readonly Game[]
  readonly decision: Decision | null
  /** The match was started, or a game or a result was reported. */
  readonly started: boolean
  /** The match was reopened: it stays open whatever its games say, until a game or a result is reported. */
  readonly reopened: boolean
  readonly status: MatchStatus
  readonly outcome: Outcome | null
}

export const withdrawalPolicies = ['walkover', 'void'] as const
/** The treatment of the results of a team that withdraws: they stay, or count for no standings. */
export type WithdrawalPolicy = (typeof withdrawalPolicies)[number]

/** The loaded part of a bracket. For one result the few matches around it are enough. */
export interface Board {
  match(number: number): Match | undefined
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
  /** Whether matches may end in a draw. */
  readonly allowDraws: boolean
}

export const seedOrderings = ['standard', 'natural', 'manual'] as const
/** How seeds fill the first round: first against last, neighbours against each other, or in the given order. */
export type SeedOrdering = (typeof seedOrderings)[number]

export const grandFinals = ['none', 'single', 'reset'] as const
export type GrandFinal = (typeof grandFinals)[number]

export const distributions = ['snake', 'sequential'] as const
export type Distribution = (typeof distributions)[number]

export const tieBreakers = [
  'points',
  'head_to_head',
  'game_difference',
  'games_won',
  'buchholz',
  'median_buchholz',
  'sonneborn_berger',
  'score_total',
  'seed',
] as const
export type TieBreaker = (typeof tieBreakers)[number]

export interface Points {
  readonly win: number
  readonly draw: number
  readonly loss: number
}

/** All settings of a bracket. Each format reads only some of them. */
export interface Settings {
  readonly bestOf: number
  /** The best-of of single rounds, by `section:round`, such as `upper:1`. */
  readonly bestOfByRound: Readonly<Record<string, number>>
  readonly seedOrdering: SeedOrdering
  readonly thirdPlace: boolean
  readonly grandFinal: GrandFinal
  readonly groups: number
  readonly legs: 1 | 2
  readonly distribution: Distribution
  readonly points: Points
  readonly allowDraws: boolean
  /** The number of rounds of a Swiss bracket. */
  readonly rounds: number
  readonly byePoints: number
  readonly avoidRematches: boolean
  readonly tieBreakers: readonly TieBreaker[]
}

/** An entrant of a bracket. Its index in the list + 1 is its slot. */
export interface Entrant {
  readonly slot: number
  readonly seed: number | null
  /** null for a place that no team has taken yet. */
  readonly team: string | null
}

/** A generated bracket: its entrants, and its matches in the order of their numbers. */
export interface Plan {
  readonly entrants: readonly Entrant[]
  readonly matches: readonly Match[]
}

/** A row of the standings. */
export interface Standing {
  /** Competition rank: 1, 2, 2, 4. */
  readonly rank: number
  readonly team: string
  readonly seed: number | null
  readonly group: number | null
  readonly played: number
  readonly won: number
  readonly drawn: number
  readonly lost: number
  readonly gamesWon: number
  readonly gamesLost: number
  readonly points: number
  /** The values of the tie-breakers other than points, in the order in which they apply. */
  readonly tieBreaks: readonly { readonly name: TieBreaker; readonly value: number }[]
  /**
   * The tie-breaker that placed this team below the one above it; null for the first row, and for rows that share the
   * rank above.
   */
  readonly decidedBy: TieBreaker | null
  /** No tie-breaker separates this row from another row; only the order of the list does. (D67) */
  readonly tied: boolean
}
