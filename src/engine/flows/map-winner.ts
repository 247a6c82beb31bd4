import type { Rules, TieRule } from './flow.ts'
import type { ScoreReport } from './rows.ts'

/** Decides who wins a map. (match-flows: Who wins a map, and the match) */

/** A reported score with its corrections, and whether it counts. */
export interface Score extends ScoreReport {
  readonly seat: number
  readonly chain: number
  readonly run: number
  /** Whether this is the score that counts for the player in the run. */
  counts: boolean
  /** Why the score does not count; null if it counts. */
  why: 'second_report' | 'not_in_lineup' | 'wrong_map' | 'technical' | null
}

export interface Run {
  readonly run: number
  readonly scores: Score[]
  /** The players of the run, by seat. */
  lineups: readonly (readonly string[])[]
  /** The scores were declared complete: players without a score are absent. */
  isClosed: boolean
  /** Seats that still have to play the run again in a technical replay. */
  replaying: number[]
  /** The seat and player that claimed this replay; null for the first run of a chain. */
  readonly claimedBy: { readonly seat: number; readonly user: string | null } | null
  /** Whether the better of both playings counts in a technical replay. */
  better: boolean
}

export interface Chain {
  readonly chain: number
  readonly runs: Run[]
}

/** Whether a penalty makes the score count 0. */
export type IsZeroed = (score: Score) => boolean

export interface Verdict {
  /** Totals by seat. */
  readonly totals: readonly number[]
  /**
   * The values that decide, by seat: higher is better. Where the fewest misses win, a side with a failed player has
   * -Infinity, which is behind every other side.
   */
  readonly worth: readonly number[]
  /** By seat: the run whose scores count; null if the scores of its players come from several runs. */
  readonly counted: readonly (number | null)[]
  /** The scores that count, by seat and player; null for an absent player. */
  readonly scores: readonly (readonly { readonly user: string; readonly score: Score | null }[])[]
  /** The seat that holds the map; null while the map is level. */
  readonly holder: number | null
  /** The seats with the highest total; several while the map is level. */
  readonly leaders: readonly number[]
  readonly because: 'score' | Exclude<Rules['replays']['rule'], 'none'>
  readonly scoreToBeat: number | null
}

type Measure = (score: Score | null) => number

/** Rates a player's score by the value that the rules count; higher is better. */
function measureOf({ map, zero }: Rules, isZeroed: IsZeroed): Measure {
  const isZero = (score: Score | null): score is null =>
    score === null ||
    score.completion === 'absent' ||
    (zero as readonly string[]).includes(score.completion) ||
    isZeroed(score)
  if (map.by === 'misses') return (score) => (isZero(score) ? Number.NEGATIVE_INFINITY : -(score?.misses ?? 0))
  if (map.by === 'accuracy') return (score) => (isZero(score) ? 0 : (score?.accuracy ?? 0))
  return (score) => (isZero(score) ? 0 : (score?.score ?? 0))
}

/** Combines the worths of the players into the worth of their side. */
function teamWorth({ map }: Rules, worths: readonly number[]): number {
  if (worths.length === 0) return map.by === 'misses' ? Number.NEGATIVE_INFINITY : 0
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  if (map.team === 'mean') return exactly(sum(worths) / worths.length)
  if (map.team === 'top') {
    return exactly(sum(worths.toSorted((one, other) => other - one).slice(0, map.top ?? worths.length)))
  }
  return exactly(sum(worths))
}

/** Rounds to nine decimals, so that equal sums of fractions compare as equal in whatever order they were added. */
export function exactly(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) ? value : Math.round(value * 1e9) / 1e9
}

interface RunWorth {
  readonly run: Run
  readonly best: readonly ReadonlyMap<string, Score | null>[]
  readonly worth: readonly number[]
}

/** The score that counts for each player on a run, by seat. */
function bestOfRun(run: Run, measure: Measure): readonly ReadonlyMap<string, Score | null>[] {
  return run.lineups.map(
    (lineup, index) =>
      new Map(
        lineup.map((user) => {
          const own = run.scores.filter(
            (score) =>
              score.seat === index + 1 && score.user === user && (score.counts || isOfEarlierPlaying(run, score)),
          )
          return [user, highest(own, measure)]
        }),
      ),
  )
}

/** In a technical replay where the better playing counts, the scores of the first playing still count too. */
function isOfEarlierPlaying(run: Run, score: Score): boolean {
  return run.better && score.why === 'technical'
}

function highest(scores: readonly Score[], measure: Measure): Score | null {
  let best: Score | null = null
  for (const score of scores) if (best === null || measure(score) > measure(best)) best = score
  return best
}

/** The verdict on a chain of runs. Every run must be complete. */
export function judgeChain(runs: readonly Run[], rules: Rules, isZeroed: IsZeroed): Verdict {
  const measure = measureOf(rules, isZeroed)
  const worths = runs.map((run): RunWorth => {
    const best = bestOfRun(run, measure)
    return { run, best, worth: best.map((scores) => teamWorth(rules, [...scores.values()].map(measure))) }
  })
  const first = worths[0]
  const last = worths.at(-1)
  if (first === undefined || last === undefined) throw new Error('a chain has a run')
  const toBeat = rules.replays.rule === 'score_to_beat' ? shown(rules, Math.max(...first.worth)) : null
  if (worths.length === 1) return verdictOf(first, rules, 'score', toBeat)
  switch (rules.replays.rule) {
    case 'last_counts':
      return verdictOf(last, rules, 'last_counts', null)
    case 'score_to_beat':
      return heldScore(worths, rules)
    default:
      return betterOfEach(worths, rules, measure)
  }
}

/** The total that is shown for a worth. A side that has failed by misses shows 0. */
function shown({ map }: Rules, worth: number): number {
  return map.by === 'misses' ? (worth === Number.NEGATIVE_INFINITY ? 0 : -worth) : worth
}

/** The worth of a total that was entered by hand. */
export function worthOf({ map }: Rules, total: number | null): number | null {
  return total === null || map.by !== 'misses' ? total : -total
}

function leadersOf(worth: readonly number[]): readonly number[] {
  const top = Math.max(...worth)
  return worth.flatMap((value, index) => (value === top ? [index + 1] : []))
}

function verdictOf(
  { run, best, worth }: RunWorth,
  rules: Rules,
  because: Verdict['because'],
  scoreToBeat: number | null,
): Verdict {
  const leaders = leadersOf(worth)
  return {
    totals: worth.map((value) => shown(rules, value)),
    worth,
    counted: best.map(() => run.run),
    scores: best.map((scores) => [...scores].map(([user, score]) => ({ user, score }))),
    holder: leaders.length === 1 ? (leaders[0] ?? null) : null,
    leaders,
    because,
    scoreToBeat,
  }
}

function betterOfEach(worths: readonly RunWorth[], rules: Rules, measure: Measure): Verdict {
  const seats = worths[0]?.best.length ?? 0
  const scores = Array.from({ length: seats }, (_, index) => {
    const users = new Set(worths.flatMap(({ best }) => [...(best[index]?.keys() ?? [])]))
    return [...users].map((user) => {
      const own = worths.flatMap(({ best }) => best[index]?.get(user) ?? [])
      return { user, score: highest(own, measure) }
    })
  })
  const worth = scores.map((ofSeat) => teamWorth(rules, bestPlayers(ofSeat, worths, scores.indexOf(ofSeat), measure)))
  const leaders = leadersOf(worth)
  return {
    totals: worth.map((value) => shown(rules, value)),
    worth,
    counted: scores.map((ofSeat) => {
      const runs = new Set(ofSeat.flatMap(({ score }) => (score === null ? [] : [score.run])))
      return runs.size === 1 ? ([...runs][0] ?? null) : null
    }),
    scores,
    holder: leaders.length === 1 ? (leaders[0] ?? null) : null,
    leaders,
    because: 'better_of_each',
    scoreToBeat: null,
  }
}

/**
 * After a substitution between runs more players have scores than play at once. Only as many count as the largest
 * line-up has.
 */
function bestPlayers(
  ofSeat: readonly { readonly score: Score | null }[],
  worths: readonly RunWorth[],
  index: number,
  measure: Measure,
): readonly number[] {
  const most = Math.max(...worths.map(({ best }) => best[index]?.size ?? 0))
  return ofSeat
    .map(({ score }) => measure(score))
    .toSorted((one, other) => other - one)
    .slice(0, most)
}

/**
 * A replay takes the map only with more than the score to beat and more than the holder's score in that replay. If a
 * correction has made the first run level, no seat holds the map (match-flows: Details, 3), and the claimer must beat
 * the other seat.
 */
function heldScore(worths: readonly RunWorth[], rules: Rules): Verdict {
  const [first, ...replays] = worths as [RunWorth, ...RunWorth[]]
  const leaders = leadersOf(first.worth)
  let holder = leaders.length === 1 ? (leaders[0] ?? null) : null
  let toBeat = Math.max(...first.worth)
  let held = first
  let before = first
  for (const replay of replays) {
    toBeat = Math.max(toBeat, ...before.worth)
    const caller = replay.run.claimedBy?.seat ?? holder
    if (caller !== null && caller !== holder && takes(replay, caller, toBeat)) {
      holder = caller
      held = replay
    }
    before = replay
  }
  const verdict = verdictOf(held, rules, 'score_to_beat', shown(rules, Math.max(toBeat, ...before.worth)))
  return { ...verdict, holder, leaders: holder === null ? leaders : [holder] }
}

/** Whether the claimer's replay takes the map. This rule is only for two seats. */
function takes({ worth }: RunWorth, caller: number, toBeat: number): boolean {
  const own = worth[caller - 1] ?? 0
  return own > toBeat && own > (worth[2 - caller] ?? 0)
}

/** The seat that the rule prefers among those with the same total; null if the rule does not decide. */
export function breakTie(
  rule: Extract<TieRule, 'best_player' | 'fewer_misses'>,
  scores: Verdict['scores'],
  leaders: readonly number[],
  rules: Rules,
  isZeroed: IsZeroed,
): number | null {
  const measure = measureOf(rules, isZeroed)
  const worth = leaders.map((seat) => {
    const own = (scores[seat - 1] ?? []).map(({ score }) => score)
    if (rule === 'best_player') return Math.max(Number.NEGATIVE_INFINITY, ...own.map(measure))
    const misses = own.map((score) => score?.misses ?? null)
    return misses.includes(null) ? Number.NaN : -misses.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  })
  if (worth.some(Number.isNaN)) return null
  const top = Math.max(...worth)
  const best = leaders.filter((_, index) => worth[index] === top)
  return best.length === 1 ? (best[0] ?? null) : null
}

/** Whether the run is complete: every player has a score, or those without one were declared absent. */
export function isPlayed(run: Run): boolean {
  if (run.replaying.length > 0) return false
  return run.isClosed || run.lineups.every((lineup, index) => lineup.every((user) => hasScore(run, index + 1, user)))
}

export function hasScore(run: Run, seat: number, user: string): boolean {
  return run.scores.some((score) => score.seat === seat && score.user === user && score.counts)
}

/** The points of each seat by its place. Seats with equal results share the better place. */
export function pointsByPlace(worth: readonly number[], points: readonly number[]): readonly number[] {
  return worth.map((own) => points[worth.filter((other) => other > own).length] ?? 0)
}

/**
 * More misses than a session can have: at most a million in a score, 32 players in a line-up, and some hundred maps.
 */
const failedMap = 10_000_000_000

/**
 * The sum of the worths of maps. By `misses`, a side that failed a map is behind every side that did not
 * (match-flows: Details, 5). So a failed map weighs more than all misses together, and two failed maps weigh more than
 * one.
 */
export function sumOfWorth(worth: readonly (number | null)[]): number {
  const known = worth.filter((value) => value !== null)
  const finite = known.filter((value) => Number.isFinite(value))
  // The failed maps are subtracted after the rounding, which is only for the sum of the other worths.
  return exactly(finite.reduce((sum, value) => sum + value, 0)) - failedMap * (known.length - finite.length)
}
