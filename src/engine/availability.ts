/**
 * The availability of people: their answers to time slots, and a ranking of the slots. Times are milliseconds since the
 * Unix epoch; ends are exclusive. Only instants count, so a day on which clocks change has more or fewer slots.
 */

export const availabilityStatuses = ['available', 'maybe', 'unavailable', 'would_rather_not'] as const
export type AvailabilityStatus = (typeof availabilityStatuses)[number]

export interface Span {
  readonly start: number
  /** Exclusive; later than `start`. */
  readonly end: number
}

export interface Answer {
  readonly status: AvailabilityStatus
  readonly reason?: string
}

/** Consecutive slots with the same answer. */
export interface Run extends Span, Answer {}

/** Answers start and end at quarters of an hour. In milliseconds. */
export const quarter = 15 * 60_000

/**
 * The whole slots of each window, counted from its start. A remainder at the end of a window that is shorter than a
 * slot belongs to no slot. Windows are in order and do not overlap.
 */
export function slotsOf(windows: readonly Span[], slotLength: number): Span[] {
  return windows.flatMap(({ start, end }) =>
    Array.from({ length: Math.floor((end - start) / slotLength) }, (_, index) => ({
      start: start + index * slotLength,
      end: start + (index + 1) * slotLength,
    })),
  )
}

/** A range of slots, from the index `from` (inclusive) to the index `to` (exclusive). */
export interface Place {
  readonly from: number
  readonly to: number
}

/**
 * The slots that make up a span; `unaligned` where the span cuts a slot, `outside` where no slot covers a part of it.
 */
export function placeOf(slots: readonly Span[], span: Span): Place | 'unaligned' | 'outside' {
  const first = lastStarting(slots, span.start)
  const last = lastStarting(slots, span.end - 1)
  const [begins, ends] = [slots[first], slots[last]]
  if (begins === undefined || ends === undefined || begins.end <= span.start || ends.end < span.end) return 'outside'
  if (begins.start !== span.start || ends.end !== span.end) return 'unaligned'
  const isWhole = ends.end - begins.start === (last - first + 1) * (begins.end - begins.start)
  return isWhole ? { from: first, to: last + 1 } : 'outside'
}

/** The index of the last span that starts at or before the time; -1 for none. Spans are in order. */
function lastStarting(spans: readonly Span[], time: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((spans[middle] as Span).start <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

export interface PlacedAnswer extends Place {
  readonly answer: Answer
}

/** Merges answers to slots into the fewest runs. A later answer overwrites an earlier one. */
export function merge(slots: readonly Span[], answers: readonly PlacedAnswer[]): Run[] {
  const painted: (Answer | undefined)[] = new Array(slots.length).fill(undefined)
  // Answers are painted from the last to the first, each slot once. `next` skips slots that are already painted.
  const next = Int32Array.from({ length: slots.length + 1 }, (_, index) => index)
  const free = (from: number): number => {
    let at = from
    while (next[at] !== at) {
      next[at] = next[next[at] as number] as number
      at = next[at] as number
    }
    return at
  }
  for (const { from, to, answer } of answers.toReversed()) {
    for (let at = free(from); at < to; at = free(at)) {
      painted[at] = answer
      next[at] = at + 1
    }
  }
  return runsOf(slots, painted)
}

function runsOf(slots: readonly Span[], answers: readonly (Answer | undefined)[]): Run[] {
  const runs: Run[] = []
  slots.forEach((slot, index) => {
    const answer = answers[index]
    if (answer === undefined) return
    const before = runs.at(-1)
    if (before !== undefined && before.end === slot.start && isSame(before, answer)) {
      runs[runs.length - 1] = { ...before, end: slot.end }
    } else runs.push({ ...answer, ...slot })
  })
  return runs
}

function isSame(a: Answer, b: Answer): boolean {
  return a.status === b.status && a.reason === b.reason
}

/** Splits runs into one answer per slot. The runs must come from a grid with the same slot length. */
export function expand(runs: readonly Run[], slotLength: number): Run[] {
  return runs.flatMap(({ start, end, ...answer }) =>
    slotsOf([{ start, end }], slotLength).map((slot) => ({ ...slot, ...answer })),
  )
}

/** Moves answers to another grid. Keeps only the slots that one run covers completely. */
export function refit(runs: readonly Run[], slots: readonly Span[]): Run[] {
  return runsOf(slots, answersTo(slots, runs))
}

/** For each slot the run that covers it; undefined where none does. Runs are in order and do not overlap. */
export function answersTo(slots: readonly Span[], runs: readonly Run[]): (Run | undefined)[] {
  let at = 0
  return slots.map((slot) => {
    while ((runs[at]?.end ?? Infinity) <= slot.start) at++
    const run = runs[at]
    return run === undefined || run.start > slot.start || run.end < slot.end ? undefined : run
  })
}

/** Counts the slots answered in `runs` that `kept` does not cover completely. */
export function countDropped(runs: readonly Run[], kept: readonly Run[], slotLength: number): number {
  const slots = expand(runs, slotLength)
  return answersTo(slots, kept).filter((answer) => answer === undefined).length
}

/**
 * A person or team that was asked, with the answer for each slot or match, by index; undefined where there is no
 * answer.
 */
export interface Respondent {
  /** The role of the person or, where teams are asked, the team itself. */
  readonly covers: string
  readonly statuses: readonly (AvailabilityStatus | undefined)[]
}

export interface Tally {
  readonly counts: Readonly<Record<AvailabilityStatus, number>>
  readonly unanswered: number
  /** The number of roles (or teams) with at least one answer other than `unavailable`. */
  readonly covered: number
}

/** Counts the answers of all respondents for each of `length` slots or matches. */
export function tally(length: number, respondents: readonly Respondent[]): Tally[] {
  return Array.from({ length }, (_, index) => {
    const counts = { available: 0, maybe: 0, unavailable: 0, would_rather_not: 0 }
    const covered = new Set<string>()
    let unanswered = 0
    for (const { covers, statuses } of respondents) {
      const status = statuses[index]
      if (status === undefined) unanswered++
      else {
        counts[status]++
        if (status !== 'unavailable') covered.add(covers)
      }
    }
    return { counts, unanswered, covered: covered.size }
  })
}

/**
 * The rank of each slot or match, from 1 for the best. Tallies are in the order of time. The worst answer counts first:
 * all available is best, then somebody `maybe`, then somebody `would_rather_not`, then somebody unavailable or
 * unanswered. Ties are broken by more roles (or teams) covered, then more available, then more `maybe`, then more
 * `would_rather_not`, then the earlier time. (additions: F; G13)
 */
export function ranksOf(tallies: readonly Tally[]): number[] {
  const ranks: number[] = new Array(tallies.length).fill(0)
  const keys = tallies.map(({ counts, covered, ...rest }) => [
    -worst({ counts, ...rest }),
    covered,
    counts.available,
    counts.maybe,
    counts.would_rather_not,
  ])
  const order = [...keys.keys()].sort((a, b) => larger(keys[a] ?? [], keys[b] ?? []) || a - b)
  order.forEach((index, place) => {
    ranks[index] = place + 1
  })
  return ranks
}

function worst({ counts, unanswered }: Pick<Tally, 'counts' | 'unanswered'>): number {
  if (counts.unavailable + unanswered > 0) return 3
  if (counts.would_rather_not > 0) return 2
  return counts.maybe > 0 ? 1 : 0
}

function larger(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at])
  return index < 0 ? 0 : (b[index] ?? 0) - (a[index] ?? 0)
}
