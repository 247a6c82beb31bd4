import type { ModifierRule } from '../score-limits.ts'

/**
 * Flows: the steps in which a match picks and plays its maps, and the rules of the match. (match-flows: Flow) Seats are
 * numbered from 1; in a match, seats 1 and 2 are its sides.
 */

export const actions = [
  'roll',
  'choose',
  'protect',
  'ban',
  'pick',
  'random',
  'tiebreaker',
  'flair_pick',
  'flair_ban',
  'lineup',
  'ready',
  'break',
  'play',
] as const
export type Action = (typeof actions)[number]

export const lapsePolicies = ['again', 'skip', 'random', 'opponent', 'forfeit', 'lose_map', 'proceed', 'hold'] as const
/** The effect of a lapse, which is when the time of a step is over. */
export type LapsePolicy = (typeof lapsePolicies)[number]

export const conditions = ['always', 'all_at_match_point', 'not_all_at_match_point'] as const
export type Condition = (typeof conditions)[number]

/** Limits a choice of maps by their flairs, and by whether they are tiebreakers. */
export interface From {
  /** Names of flairs. null allows every map, also one without a flair. */
  readonly flairs: readonly string[] | null
  readonly exceptFlairs: readonly string[]
  /** Whether maps flagged as tiebreakers may be chosen too. */
  readonly tiebreakers: boolean
}

/** The flair of the map must differ from the flairs of the seat's own earlier choices of the same action. */
export interface Limit {
  readonly otherFlairThan: 'own_last' | 'own_all'
  /** Names of flairs that the limit does not apply to. */
  readonly except: readonly string[]
}

export interface Step {
  readonly action: Action
  /** Actors as the author wrote them, such as `seat:1`, `rollWinner`, `order:2`; the first one that is known acts. */
  readonly actor: readonly string[]
  /** Time for the step in seconds; null for a step without a clock. */
  readonly seconds: number | null
  /**
   * One policy for each lapse in turn; the last one applies to all later lapses. Empty for a step that cannot lapse.
   */
  readonly onTimeout: readonly LapsePolicy[]
  readonly from: From
  readonly limits: readonly Limit[]
  readonly when: Condition
  readonly times: number
  readonly secret: boolean
  readonly label: string | null
  /** The pair that a `choose` step decides; null for any undecided pair. */
  readonly pair: string | null
  /** Where a `tiebreaker` step takes its map from; null for other actions. */
  readonly source: 'flagged' | 'last_left' | null
}

export interface RepeatBlock {
  readonly repeat: number | 'until_decided'
  readonly steps: readonly Part[]
}

/**
 * Runs its steps once for each seat, which is the actor `it`. `each` orders the seats by their seeds, by the places of
 * a pair, or by the session's standing.
 */
export interface EachBlock {
  readonly each: string
  readonly steps: readonly Part[]
}

export type Part = Step | RepeatBlock | EachBlock

export const tieRules = ['best_player', 'fewer_misses', 'replay', 'other_map', 'void'] as const
export type TieRule = (typeof tieRules)[number]

export const replayRules = ['none', 'better_of_each', 'score_to_beat', 'last_counts'] as const
export type ReplayRule = (typeof replayRules)[number]

export const completions = ['passed', 'failed', 'quit', 'absent'] as const
export type Completion = (typeof completions)[number]

export const penaltyTypes = [
  'warning',
  'score_zero',
  'map_loss',
  'lose_bans',
  'lose_protects',
  'lose_replays',
  'lose_timeouts',
  'exclude',
  'points',
  'match_forfeit',
] as const
export type PenaltyType = (typeof penaltyTypes)[number]

/** The rules of a flow. (match-flows: Rules) */
export interface Rules {
  readonly play: { readonly mode: 'best_of' } | { readonly mode: 'play_all'; readonly maps: number }
  readonly map: {
    readonly by: 'score' | 'accuracy' | 'misses'
    readonly team: 'sum' | 'mean' | 'top'
    /** With team `top`: the number of best scores that count. */
    readonly top: number | null
    /**
     * Number of players in a line-up. null means the tournament's team size; a session stores that number instead of
     * null.
     */
    readonly players: number | null
  }
  /**
   * Whether players may use positive modifiers. Flows that were stored before this rule existed lack it, which means
   * `any`.
   */
  readonly modifiers?: ModifierRule
  /** Completions for which a score counts 0. */
  readonly zero: readonly ('failed' | 'quit')[]
  readonly pauseLimitSeconds: number | null
  readonly tie: readonly TieRule[]
  readonly tieReplays: number
  readonly decide: 'score_sum' | 'wins' | 'points'
  /** Points for each place, the first place first. */
  readonly points: readonly number[]
  readonly replays: {
    readonly rule: ReplayRule
    readonly perMatch: number
    readonly perMap: number
    readonly by: 'team' | 'player'
    readonly windowSeconds: number
  }
  readonly technical: { readonly perMatch: number | null; readonly counts: 'replace' | 'better' }
  readonly timeouts: { readonly count: number; readonly seconds: number }
  readonly late: readonly { readonly afterMinutes: number; readonly type: PenaltyType }[]
  readonly lineup: { readonly changes: 'per_map' | 'per_match' }
  readonly protects: 'opponents' | 'everybody'
  readonly speakers: 'captain' | 'members'
  readonly graceSeconds: number
  readonly selfUndoSeconds: number
  readonly viewDelaySeconds: number
  /** How many of the last places are eliminated, in free sessions. */
  readonly eliminate: number
}

/** A flow in which all defaults are filled in. */
export interface Flow {
  readonly seats: number
  /** An odd number; null if the flow fits any best of. */
  readonly bestOf: number | null
  readonly pairs: readonly string[]
  readonly steps: readonly Part[]
  readonly rules: Rules
}

export function isStep(part: Part): part is Step {
  return 'action' in part
}

export function isEach(part: Part): part is EachBlock {
  return 'each' in part
}

type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { readonly [Name in keyof T]?: DeepPartial<T[Name]> }
    : T

/** A step as the author writes it; most members have defaults. */
export interface StepInput {
  readonly action: Action
  readonly actor?: string | readonly string[]
  readonly seconds?: number | null
  readonly onTimeout?: LapsePolicy | readonly LapsePolicy[]
  readonly from?: {
    readonly flairs?: readonly string[] | null
    readonly exceptFlairs?: readonly string[]
    readonly tiebreakers?: boolean
  }
  readonly limits?: readonly {
    readonly other_flair_than: Limit['otherFlairThan']
    readonly except?: readonly string[]
  }[]
  readonly when?: Condition
  readonly times?: number
  readonly secret?: boolean
  readonly label?: string | null
  readonly pair?: string | null
  readonly source?: 'flagged' | 'last_left' | null
}
export type PartInput =
  | StepInput
  | { readonly repeat: number | 'until_decided'; readonly steps: readonly PartInput[] }
  | { readonly each: string; readonly steps: readonly PartInput[] }

export interface FlowInput {
  readonly seats?: number
  readonly bestOf?: number | null
  readonly pairs?: readonly string[]
  readonly steps: readonly PartInput[]
  readonly rules?: DeepPartial<Rules>
}

const defaultRules: Rules = {
  play: { mode: 'best_of' },
  map: { by: 'score', team: 'sum', top: null, players: null },
  modifiers: 'any',
  zero: ['failed', 'quit'],
  pauseLimitSeconds: null,
  tie: ['replay'],
  tieReplays: 2,
  decide: 'score_sum',
  points: [],
  replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'team', windowSeconds: 60 },
  technical: { perMatch: null, counts: 'replace' },
  timeouts: { count: 0, seconds: 120 },
  late: [],
  lineup: { changes: 'per_map' },
  protects: 'opponents',
  speakers: 'captain',
  graceSeconds: 1,
  selfUndoSeconds: 0,
  viewDelaySeconds: 0,
  eliminate: 0,
}

/** Fills in the defaults of a flow; does not validate it. */
export function completeFlow({ seats = 2, bestOf = null, pairs = [], steps, rules = {} }: FlowInput): Flow {
  const { play, map, replays, technical, timeouts, lineup, ...plain } = rules
  const completed = {
    ...defaultRules,
    ...plain,
    play: (play ?? defaultRules.play) as Rules['play'],
    map: { ...defaultRules.map, ...map },
    replays: { ...defaultRules.replays, ...replays },
    technical: { ...defaultRules.technical, ...technical },
    timeouts: { ...defaultRules.timeouts, ...timeouts },
    lineup: { ...defaultRules.lineup, ...lineup },
  } as Rules
  return { seats, bestOf, pairs, steps: steps.map((part) => completePart(part, seats)), rules: completed }
}

function completePart(part: PartInput, seats: number): Part {
  if ('repeat' in part) return { repeat: part.repeat, steps: part.steps.map((inner) => completePart(inner, seats)) }
  if ('each' in part) return { each: part.each, steps: part.steps.map((inner) => completePart(inner, seats)) }
  const { action, actor, onTimeout, from = {}, limits = [] } = part
  return {
    action,
    actor: actor === undefined ? defaultActor(action) : typeof actor === 'string' ? [actor] : actor,
    seconds: part.seconds ?? null,
    onTimeout:
      onTimeout === undefined ? defaultPolicy(action, seats) : typeof onTimeout === 'string' ? [onTimeout] : onTimeout,
    from: {
      flairs: from.flairs ?? null,
      exceptFlairs: from.exceptFlairs ?? [],
      tiebreakers: from.tiebreakers ?? false,
    },
    limits: limits.map(({ other_flair_than: otherFlairThan, except = [] }) => ({ otherFlairThan, except })),
    when: part.when ?? 'always',
    times: part.times ?? 1,
    secret: part.secret ?? false,
    label: part.label ?? null,
    pair: part.pair ?? null,
    source: action === 'tiebreaker' ? (part.source ?? 'flagged') : null,
  }
}

function defaultActor(action: Action): readonly string[] {
  return action === 'lineup' || action === 'ready' ? ['all'] : ['system']
}

/** The lapse policies of a step that names none. (match-flows: Flow, onTimeout) */
function defaultPolicy(action: Action, seats: number): readonly LapsePolicy[] {
  switch (action) {
    case 'protect':
    case 'ban':
    case 'flair_pick':
    case 'flair_ban':
      return ['skip']
    case 'pick':
      return [seats === 2 ? 'opponent' : 'random']
    case 'choose':
      return ['random']
    case 'lineup':
      return ['hold']
    case 'ready':
    case 'break':
      return ['proceed']
    default:
      return []
  }
}
