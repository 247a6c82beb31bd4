import type { Rules, TieRule } from './flow.ts'
import type { ScoreReport } from './rows.ts'

/** Who wins a map. (match-flows: Who wins a map, and the match) */

/** A score as it stands: told, perhaps corrected, perhaps set to zero. */
export interface Score extends ScoreReport {
  readonly seat: number
  readonly chain: number
  readonly run: number
  /** Whether it is the player's score of the run. */
  counts: boolean
  /** Why it does not count. */
  why: 'second_report' | 'not_in_lineup' | 'wrong_map' | 'technical' | null
}

export interface Run {
  readonly run: number
  readonly scores: Score[]
  /** By seat: who plays. */
  lineups: readonly (readonly string[])[]
  /** A referee said that nobody else will come. */
  isClosed: boolean
  /** Seats that still have to play it again. */
  replaying: number[]
  /** Whose replay it is; null for the first of a chain. */
  readonly claimedBy: { readonly seat: number; readonly user: string | null } | null
  /** Where the better of two playings of a technical replay counts. */
  better: boolean
}

export interface Chain {
  readonly chain: number
  readonly runs: Run[]
}

/** Whether a score counts 0, by a penalty. */
export type IsZeroed = (score: Score) => boolean

export interface Verdict {
  /** By seat; null where nothing is known. */
  readonly totals: readonly number[]
  /** What decides, by seat: more is better, and a side that has failed where few misses win is behind every other. */
  readonly worth: readonly number[]
  /** Runs of the chain by seat; null where players of the seat have theirs from several. */
  readonly counted: readonly (number | null)[]
  /** What counted, by seat and player; null for an absent one. */
  readonly scores: readonly (readonly { readonly user: string; readonly score: Score | null }[])[]
  /** The seat with the highest total alone; null where it is level. */
  readonly holder: number | null
  /** Those that share the highest. */
  readonly leaders: readonly number[]
  readonly because: 'score' | Exclude<Rules['replays']['rule'], 'none'>
  readonly scoreToBeat: number | null
}

type Measure = (score: Score | null) => number

/** What a player's score is worth; more is better, whatever is counted. */
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

/** A side's worth of its players'. */
function teamWorth({ map }: Rules, worths: readonly number[]): number {
  if (worths.length === 0) return map.by === 'misses' ? Number.NEGATIVE_INFINITY : 0
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  if (map.team === 'mean') return exactly(sum(worths) / worths.length)
  if (map.team === 'top') {
    return exactly(sum(worths.toSorted((one, other) => other - one).slice(0, map.top ?? worths.length)))
  }
  return exactly(sum(worths))
}

/** Sums of accuracies that are equal on paper are equal, in whatever order they are added. */
export function exactly(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) ? value : Math.round(value * 1e9) / 1e9
}

interface RunWorth {
  readonly run: Run
  readonly best: readonly ReadonlyMap<string, Score | null>[]
  readonly worth: readonly number[]
}

/** The score of each player that counts on a run. */
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

/** Of a technical replay where the better counts, the first playing stays beside the second. */
function isOfEarlierPlaying(run: Run, score: Score): boolean {
  return run.better && score.why === 'technical'
}

function highest(scores: readonly Score[], measure: Measure): Score | null {
  let best: Score | null = null
  for (const score of scores) if (best === null || measure(score) > measure(best)) best = score
  return best
}

/** What a chain of runs gives, all of which are complete. */
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

/** What is worth nothing shows as 0 there, too. */
function shown({ map }: Rules, worth: number): number {
  return map.by === 'misses' ? (worth === Number.NEGATIVE_INFINITY ? 0 : -worth) : worth
}

/** Of a total that was told by hand. */
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

/** Where somebody was substituted between runs, no more players count than play at once. */
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
 * A replay takes the map only by more than what was to beat and more than the holder has on it. Where a correction has made the
 * first run level nobody holds the map (match-flows: Details, 3), and the other seat is who must be beaten.
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

/** Two seats play by this rule. */
function takes({ worth }: RunWorth, caller: number, toBeat: number): boolean {
  const own = worth[caller - 1] ?? 0
  return own > toBeat && own > (worth[2 - caller] ?? 0)
}

/** Which of the seats with the same total the rule prefers; null where it cannot tell. */
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

/** Whether everybody who plays the run has a score, or nobody else will come. */
export function isPlayed(run: Run): boolean {
  if (run.replaying.length > 0) return false
  return run.isClosed || run.lineups.every((lineup, index) => lineup.every((user) => hasScore(run, index + 1, user)))
}

export function hasScore(run: Run, seat: number, user: string): boolean {
  return run.scores.some((score) => score.seat === seat && score.user === user && score.counts)
}

/** Points by place; equal results share the better one. */
export function pointsByPlace(worth: readonly number[], points: readonly number[]): readonly number[] {
  return worth.map((own) => points[worth.filter((other) => other > own).length] ?? 0)
}

/** More misses than a session can have: a score has a million at most, a line-up 32 players, and a session some hundred maps. */
const failedMap = 10_000_000_000

/**
 * What maps are worth together. Whoever fails a map by `misses` is behind any side that has not (match-flows: Details, 5), so
 * in a sum a map that was failed weighs more than all misses, and two more than one.
 */
export function sumOfWorth(worth: readonly (number | null)[]): number {
  const known = worth.filter((value) => value !== null)
  const finite = known.filter((value) => Number.isFinite(value))
  // Apart, since sums of fractions are made equal first.
  return exactly(finite.reduce((sum, value) => sum + value, 0)) - failedMap * (known.length - finite.length)
}
