/** The problems that a validation of a flow finds. (match-flows: Validation) */

export const errorCodes = [
  'flow.no_decision',
  'flow.loop_without_play',
  'flow.nothing_to_play',
  'flow.too_few_maps',
  'flow.actor_unknown',
  'flow.tiebreaker_missing',
  'flow.timeout_impossible',
  'flow.pair_open',
  'flow.best_of_mismatch',
  'flow.players_mismatch',
  'flow.flair_unknown',
  'flow.too_long',
] as const
export const warningCodes = ['flow.unreachable', 'flow.last_left_drawn', 'flow.draw_possible'] as const
export const problemCodes = [...errorCodes, ...warningCodes] as const
export type FlowProblemCode = (typeof problemCodes)[number]

export interface FlowProblem {
  readonly code: FlowProblemCode
  /** Path of the step, counted from 1, such as `3.2.1`; null for the flow as a whole. */
  readonly step: string | null
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/**
 * The most that a session with the flow can take. null if the best of that it depends on is unknown, or if the flow has
 * no end.
 */
export interface WorstCase {
  readonly maps: number | null
  /** Number of turns until the session is decided, with those that are passed. */
  readonly steps: number | null
  /** Seconds of all their clocks. */
  readonly seconds: number | null
}

export interface Verdict {
  /** Whether there are no errors; there may be warnings. */
  readonly valid: boolean
  readonly problems: readonly FlowProblem[]
  readonly worstCase: WorstCase
}

/** The facts about a map of the pool that a flow depends on. */
export interface PoolMapFacts {
  readonly flair: string | null
  readonly isTiebreaker: boolean
}

/**
 * What a flow is validated for. Members that are left out are unknown, and problems that depend on them are not
 * reported.
 */
export interface Setting {
  /** Best of of the match. */
  readonly bestOf?: number | null
  readonly pool?: readonly PoolMapFacts[] | null
  /** Number of players of a side. */
  readonly teamSize?: number | null
  /** Whether the match must have a winner. */
  readonly elimination?: boolean
  readonly seedsKnown?: boolean
}

const warnings: ReadonlySet<string> = new Set(warningCodes)

/** Collects problems, each only once for a step and a code. */
export class Findings {
  readonly #found = new Map<string, FlowProblem>()

  add(code: FlowProblemCode, step: string | null, message: string): void {
    const key = `${code} ${step}`
    if (this.#found.has(key)) return
    this.#found.set(key, { code, step, severity: warnings.has(code) ? 'warning' : 'error', message })
  }

  addAll(problems: Iterable<FlowProblem>): void {
    for (const { code, step, message } of problems) this.add(code, step, message)
  }

  get all(): readonly FlowProblem[] {
    return [...this.#found.values()]
  }

  /** The problems in the order of the flow, with those of the whole flow first. */
  get sorted(): readonly FlowProblem[] {
    return this.all.toSorted((one, other) => comparePaths(one.step, other.step) || compare(one.code, other.code))
  }
}

function comparePaths(one: string | null, other: string | null): number {
  const [a, b] = [one, other].map((path) => (path === null ? [] : path.split('.').map(Number)))
  for (let index = 0; index < Math.max(a?.length ?? 0, b?.length ?? 0); index += 1) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
