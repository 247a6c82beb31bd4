/**
 * The words of the engine. It knows teams by whatever text the caller knows them by, and matches by their number in the
 * bracket: numbers start at 1, are given at generation, never change, and are larger than those of the matches that
 * feed them, so that one pass in their order settles a bracket.
 */

export const formats = ['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const
export type Format = (typeof formats)[number]

export const sections = ['upper', 'lower', 'final', 'third_place', 'group', 'swiss'] as const
export type Section = (typeof sections)[number]

export const matchStatuses = ['locked', 'waiting', 'ready', 'running', 'completed', 'cancelled'] as const
/**
 * `locked`: no side is known; `waiting`: one is; `ready`: both are; `cancelled`: nobody will play it, because the reset of
 * a final is not needed or because nobody came out of both matches before it.
 */
export type MatchStatus = (typeof matchStatuses)[number]

export const outcomes = ['score', 'walkover', 'double_forfeit', 'draw', 'bye'] as const
export type Outcome = (typeof outcomes)[number]

export const sideResults = ['win', 'loss', 'draw', 'forfeit'] as const
export type SideResult = (typeof sideResults)[number]

/** 0 is the first side, 1 the second. */
export type SideIndex = 0 | 1

/** Where a side's team comes from, or where a match's winner or loser goes. */
export interface Source {
  readonly match: number
  readonly outcome: 'winner' | 'loser'
}
export interface Target {
  readonly match: number
  readonly side: SideIndex
}

export interface Side {
  /** Place in the bracket that fills this side, counted from 1; null for a side that a match or nobody fills. */
  readonly slot: number | null
  readonly from: Source | null
  /** Nobody comes, by the tree itself. */
  readonly bye: boolean
  readonly team: string | null
  /** Nobody comes, for whatever reason: a bye, or nobody advanced from the match before. */
  readonly empty: boolean
  /** Games won, or what was given with an explicit result; null before anything was played, and for byes. */
  readonly score: number | null
  readonly result: SideResult | null
}

/** A map that was played. */
export interface Game {
  readonly number: number
  /** Points of the two sides, where known. */
  readonly scores: readonly [number | null, number | null]
  /** null for a tie, which does not count. */
  readonly winner: SideIndex | null
  /** Whatever else the caller keeps of it; the engine carries it along. */
  readonly detail?: unknown
}

/** What a result can say that is given explicitly. */
export const decisionOutcomes = ['score', 'walkover', 'double_forfeit', 'draw'] as const satisfies readonly Outcome[]

/** A result that somebody gave explicitly, over what the games say. */
export type Decision = DecidedResult & {
  /** The match had begun before any result was given. */
  readonly begun?: true
}

type DecidedResult =
  | { readonly outcome: 'score'; readonly winner: SideIndex; readonly scores: readonly [number, number] | null }
  | { readonly outcome: 'walkover'; readonly winner: SideIndex }
  | { readonly outcome: 'draw'; readonly scores: readonly [number, number] | null }
  | { readonly outcome: 'double_forfeit' }

/** Why a Swiss pair plays: its point group, whether somebody came from a higher one, and a sentence. */
export interface Pairing {
  /** Points of the group. */
  readonly group: number
  readonly floated: boolean
  readonly reason: string
}

/** What the tree fixes of a match. */
export interface MatchPlan {
  readonly number: number
  readonly section: Section
  /** In its section, from 1. */
  readonly round: number
  /** Group of a round robin, from 0; null in every other format. */
  readonly group: number | null
  readonly winnerTo: Target | null
  readonly loserTo: Target | null
  /** The second match of a grand final, played only when the lower bracket's team wins the first. */
  readonly conditional: boolean
  readonly pairing: Pairing | null
}

export interface Match extends MatchPlan {
  /** Odd. */
  readonly bestOf: number
  readonly sides: readonly [Side, Side]
  /** What was reported, in the order of the numbers. */
  readonly games: readonly Game[]
  readonly decision: Decision | null
  /** Somebody began it. */
  readonly started: boolean
  /** Taken up again: it stays open whatever its games say, until a game or a result is given. */
  readonly reopened: boolean
  readonly status: MatchStatus
  readonly outcome: Outcome | null
}

export const withdrawalPolicies = ['walkover', 'void'] as const
/** What becomes of the results of a team that leaves: they stay, or do not count for anybody's standing. */
export type WithdrawalPolicy = (typeof withdrawalPolicies)[number]

/** A bracket as far as it is known to whoever asks: for one result, the few matches around it are enough. */
export interface Board {
  match(number: number): Match | undefined
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
  /** Whether matches may end in a draw. */
  readonly allowDraws: boolean
}

export const seedOrderings = ['standard', 'natural', 'manual'] as const
/** How seeds fill the first round: first against last, neighbours, or in the order in which the teams were given. */
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

/** Everything that a bracket can be told; formats read their own part of it. */
export interface Settings {
  readonly bestOf: number
  /** By `section:round`, such as `upper:1`. */
  readonly bestOfByRound: Readonly<Record<string, number>>
  readonly seedOrdering: SeedOrdering
  readonly thirdPlace: boolean
  readonly grandFinal: GrandFinal
  readonly groups: number
  readonly legs: 1 | 2
  readonly distribution: Distribution
  readonly points: Points
  readonly allowDraws: boolean
  /** Rounds of a Swiss bracket. */
  readonly rounds: number
  readonly byePoints: number
  readonly avoidRematches: boolean
  readonly tieBreakers: readonly TieBreaker[]
}

/** A team in the list of a bracket's entrants; the list's index + 1 is its slot. */
export interface Entrant {
  readonly slot: number
  readonly seed: number | null
  /** null for a place that is not taken yet. */
  readonly team: string | null
}

/** A generated bracket: who stands where, and its matches in the order of their numbers. */
export interface Plan {
  readonly entrants: readonly Entrant[]
  readonly matches: readonly Match[]
}

/** One row of a table of standings. */
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
  /** Values of the tie-breakers beside points, in the order in which they are asked. */
  readonly tieBreaks: readonly { readonly name: TieBreaker; readonly value: number }[]
  /** What set this team apart from the one above it; null for the first and for those who share a rank with it. */
  readonly decidedBy: TieBreaker | null
  /** No tie-breaker parts it from another row: only the order of the list does. (D67) */
  readonly tied: boolean
}
