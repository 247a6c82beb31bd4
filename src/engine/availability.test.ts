import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf, nextDate } from '../../test/local-days.ts'
import {
  type Answer,
  type AvailabilityStatus,
  answersTo,
  availabilityStatuses,
  countDropped,
  expand,
  merge,
  type PlacedAnswer,
  placeOf,
  quarter,
  type Run,
  ranksOf,
  refit,
  type Span,
  slotsOf,
  type Tally,
  tally,
} from './availability.ts'

const minute = 60_000
const hour = 60 * minute

describe('the slots of a local day', () => {
  // The hours of each day according to the time zone database.
  test.each<[string, string, number]>([
    ['Europe/Berlin', '2026-03-28', 24],
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    // The clocks go forward at midnight, so that day has no midnight.
    ['America/Havana', '2026-03-08', 23],
    ['Antarctica/Troll', '2026-03-29', 22],
    ['Asia/Kathmandu', '2026-03-29', 24],
  ])('%s on %s has %d hours of them', (zone, date, hours) => {
    const day = dayOf(zone, date)
    for (const length of [15, 30, 60]) {
      const slots = slotsOf([day], length * minute)
      expect(slots.length).toBe(Math.floor((hours * 60) / length))
      expect(slots.every(({ start, end }) => end - start === length * minute)).toBe(true)
      expect(slots[0]?.start).toBe(day.start)
    }
  })

  test('what is left at the end of a window is no slot, and the next window counts from its own start', () => {
    const windows = [
      { start: 0, end: 90 * minute },
      { start: 105 * minute, end: 225 * minute },
    ]
    expect(slotsOf(windows, hour).map(({ start, end }) => [start / minute, end / minute])).toEqual([
      [0, 60],
      [105, 165],
      [165, 225],
    ])
    expect(slotsOf([{ start: 0, end: 45 * minute }], hour)).toEqual([])
  })
})

const zones: readonly [string, readonly string[]][] = [
  ['Europe/Berlin', ['2026-03-27', '2026-10-23']],
  ['America/New_York', ['2026-03-06', '2026-10-30']],
  ['Australia/Lord_Howe', ['2026-04-03', '2026-10-02']],
  ['UTC', ['2026-01-01']],
]

/** Some days around a change of clocks: whole days, days between two quarters of an hour, and gaps. */
const windowLists: fc.Arbitrary<readonly Span[]> = fc
  .constantFrom(...zones)
  .chain(([zone, dates]) =>
    fc.tuple(
      fc.constant(zone),
      fc.constantFrom(...dates),
      fc.array(
        fc.option(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 52 })), {
          freq: 5,
        }),
        { minLength: 1, maxLength: 4 },
      ),
    ),
  )
  .map(([zone, first, days]) =>
    days.flatMap((day, index) => {
      if (day === null) return []
      const [isWhole, from, length] = day
      const { start, end } = dayOf(zone, nextDate(first, index))
      const begin = start + from * quarter
      return [isWhole ? { start, end } : { start: begin, end: Math.min(begin + length * quarter, end) }]
    }),
  )
  .filter((windows) => windows.length > 0)

const slotLengths = fc.constantFrom(15 * minute, 30 * minute, hour)
const answers: fc.Arbitrary<Answer> = fc.record(
  { status: fc.constantFrom(...availabilityStatuses), reason: fc.constantFrom('late', 'early') },
  { requiredKeys: ['status'] },
)
/** Spans that are mostly inside the windows, in quarters counted from the first window. */
const spans = (windows: readonly Span[]) => {
  const first = windows[0]?.start ?? 0
  const quarters = ((windows.at(-1)?.end ?? 0) - first) / quarter
  return fc
    .tuple(fc.integer({ min: -2, max: quarters }), fc.integer({ min: 1, max: 40 }))
    .map(([from, length]) => ({ start: first + from * quarter, end: first + (from + length) * quarter }))
}

const cases = fc.tuple(windowLists, slotLengths).chain(([windows, length]) =>
  fc.record({
    windows: fc.constant(windows),
    length: fc.constant(length),
    inputs: fc.array(fc.tuple(spans(windows), answers), { maxLength: 12 }),
  }),
)

/** Maps each minute that belongs to a slot to the start of that slot. */
function minutesOf(windows: readonly Span[], length: number): Map<number, number> {
  const minutes = new Map<number, number>()
  for (const { start, end } of windows) {
    for (let slot = start; slot + length <= end; slot += length) {
      for (let time = slot; time < slot + length; time += minute) minutes.set(time, slot)
    }
  }
  return minutes
}

function minutesBetween({ start, end }: Span): number[] {
  return Array.from({ length: (end - start) / minute }, (_, index) => start + index * minute)
}

/** The expected place of a span, checked minute by minute. */
function fitOf(minutes: ReadonlyMap<number, number>, span: Span, length: number): 'fits' | 'unaligned' | 'outside' {
  const all = minutesBetween(span)
  if (!all.every((time) => minutes.has(time))) return 'outside'
  const last = span.end - minute
  const isWhole = minutes.get(span.start) === span.start && (minutes.get(last) ?? 0) + length === span.end
  return isWhole ? 'fits' : 'unaligned'
}

/** Some spans are both partly outside and cut a slot; either refusal is right. */
function agrees(place: ReturnType<typeof placeOf>, fit: ReturnType<typeof fitOf>): boolean {
  return typeof place === 'string' ? fit !== 'fits' : fit === 'fits'
}

function placed(slots: readonly Span[], inputs: readonly (readonly [Span, Answer])[]): PlacedAnswer[] {
  return inputs.flatMap(([span, answer]) => {
    const place = placeOf(slots, span)
    return typeof place === 'string' ? [] : [{ ...place, answer }]
  })
}

const answerText = ({ status, reason }: Answer) => `${status} ${reason ?? ''}`

/** The answer for each minute; a later input overwrites an earlier one. */
function paintMinutes(inputs: readonly (readonly [Span, Answer])[]): Map<number, string> {
  const painted = new Map<number, string>()
  for (const [span, answer] of inputs) for (const time of minutesBetween(span)) painted.set(time, answerText(answer))
  return painted
}

function minutesOfRuns(runs: readonly Run[]): Map<number, string> {
  return paintMinutes(runs.map((run) => [run, run] as const))
}

const budget = { numRuns: 150 }

describe('against a model that goes from minute to minute', () => {
  test('slots', () => {
    fc.assert(
      fc.property(cases, ({ windows, length }) => {
        const starts = [...new Set(minutesOf(windows, length).values())]
        expect(slotsOf(windows, length).map(({ start }) => start)).toEqual(starts)
      }),
      budget,
    )
  })

  test('which spans are made of whole slots', () => {
    fc.assert(
      fc.property(cases, ({ windows, length, inputs }) => {
        const minutes = minutesOf(windows, length)
        const slots = slotsOf(windows, length)
        for (const [span] of inputs) {
          const place = placeOf(slots, span)
          expect(agrees(place, fitOf(minutes, span, length))).toBe(true)
          if (typeof place !== 'string') {
            expect([slots[place.from]?.start, slots[place.to - 1]?.end]).toEqual([span.start, span.end])
          }
        }
      }),
      budget,
    )
  })

  test('answers, the later over the earlier', () => {
    fc.assert(
      fc.property(cases, ({ windows, length, inputs }) => {
        const slots = slotsOf(windows, length)
        const fitting = inputs.filter(([span]) => typeof placeOf(slots, span) !== 'string')
        const runs = merge(slots, placed(slots, fitting))
        expect(minutesOfRuns(runs)).toEqual(new Map([...paintMinutes(fitting)].sort(([a], [b]) => a - b)))
        // The runs are in order, and as few as possible.
        runs.forEach((run, index) => {
          const before = runs[index - 1]
          if (before === undefined) return
          expect(before.end).toBeLessThanOrEqual(run.start)
          expect(before.end === run.start && answerText(before) === answerText(run)).toBe(false)
        })
      }),
      budget,
    )
  })

  test('one answer for each slot', () => {
    fc.assert(
      fc.property(cases, ({ windows, length, inputs }) => {
        const slots = slotsOf(windows, length)
        const runs = merge(slots, placed(slots, inputs))
        const single = expand(runs, length)
        expect(single.every(({ start, end }) => end - start === length)).toBe(true)
        expect(minutesOfRuns(single)).toEqual(minutesOfRuns(runs))
        const bySlot = new Map(single.map((run) => [run.start, answerText(run)]))
        expect(answersTo(slots, runs).map((run) => run && answerText(run))).toEqual(
          slots.map(({ start }) => bySlot.get(start)),
        )
      }),
      budget,
    )
  })

  test('what still fits other windows and another length', () => {
    fc.assert(
      fc.property(cases, windowLists, slotLengths, ({ windows, length, inputs }, otherWindows, otherLength) => {
        const slots = slotsOf(windows, length)
        const runs = merge(slots, placed(slots, inputs))
        const before = minutesOfRuns(runs)
        const shared = [...windows, ...otherWindows].sort((a, b) => a.start - b.start)
        const target = shared.some((window, index) => window.start < (shared[index - 1]?.end ?? -Infinity))
          ? otherWindows
          : shared
        const others = slotsOf(target, otherLength)
        const kept = refit(runs, others)
        const expected = new Map<number, string>()
        for (const slot of others) {
          const said = new Set(minutesBetween(slot).map((time) => before.get(time)))
          const [only] = said
          if (said.size === 1 && only !== undefined) for (const time of minutesBetween(slot)) expected.set(time, only)
        }
        expect(minutesOfRuns(kept)).toEqual(expected)
        const lost = expand(runs, length).filter((slot) => !minutesBetween(slot).every((time) => expected.has(time)))
        expect(countDropped(runs, kept, length)).toBe(lost.length)
      }),
      budget,
    )
  })
})

describe('placing', () => {
  const slots = slotsOf(
    [
      { start: 0, end: 2 * hour },
      { start: 2 * hour, end: 3 * hour },
      { start: 4 * hour, end: 5.5 * hour },
    ],
    hour,
  )
  test.each<[string, number, number, unknown]>([
    ['a slot', 0, 1, { from: 0, to: 1 }],
    ['slots of two windows that touch', 1, 3, { from: 1, to: 3 }],
    ['all of the windows and what is between', 0, 5, 'outside'],
    ['half a slot', 0, 0.5, 'unaligned'],
    ['from the middle of a slot', 0.5, 2, 'unaligned'],
    ['before all windows', -2, -1, 'outside'],
    ['from before a window', -1, 1, 'outside'],
    ['past a window', 2, 3.5, 'outside'],
    ['what is left of a window', 5, 5.5, 'outside'],
    ['into what is left of a window', 4, 5.5, 'outside'],
    ['behind all windows', 6, 7, 'outside'],
  ])('%s', (_name, from, to, expected) => {
    expect(placeOf(slots, { start: from * hour, end: to * hour })).toEqual(expected)
  })

  test('there is no place where there are no slots', () => {
    expect(placeOf([], { start: 0, end: hour })).toBe('outside')
  })
})

test('thousands of inputs, each over all of the longest sheet, are as the last of them says', () => {
  const slots = slotsOf([{ start: 0, end: 62 * 24 * hour }], quarter)
  const all = Array.from({ length: 6_000 }, (_, index) => ({
    from: 0,
    to: slots.length,
    answer: { status: availabilityStatuses[index % 4] as AvailabilityStatus },
  }))
  expect(merge(slots, all)).toEqual([{ start: 0, end: 62 * 24 * hour, status: 'would_rather_not' }])
})

describe('tallies', () => {
  test('count what everybody said, who has not, and what is covered', () => {
    const said = (covers: string, ...statuses: (AvailabilityStatus | undefined)[]) => ({ covers, statuses })
    const people = [
      said('caster', 'available', 'unavailable', undefined),
      said('caster', 'maybe', 'unavailable', undefined),
      said('host', 'would_rather_not', 'available', undefined),
    ]
    expect(tally(3, people)).toEqual([
      { counts: { available: 1, maybe: 1, unavailable: 0, would_rather_not: 1 }, unanswered: 0, covered: 2 },
      { counts: { available: 1, maybe: 0, unavailable: 2, would_rather_not: 0 }, unanswered: 0, covered: 1 },
      { counts: { available: 0, maybe: 0, unavailable: 0, would_rather_not: 0 }, unanswered: 3, covered: 0 },
    ])
  })
})

/** The counts of available, maybe, would rather not, unavailable, unanswered and covered. */
type Row = readonly [number, number, number, number, number, number]
const tallyOf = ([available, maybe, would_rather_not, unavailable, unanswered, covered]: Row): Tally => ({
  counts: { available, maybe, would_rather_not, unavailable },
  unanswered,
  covered,
})

describe('ranks', () => {
  test.each<[string, Row[], number[]]>([
    ['nothing', [], []],
    [
      'everybody available, at worst maybe, at worst would rather not, one who cannot',
      [
        [0, 0, 0, 2, 0, 0],
        [1, 0, 1, 0, 0, 2],
        [1, 1, 0, 0, 0, 2],
        [2, 0, 0, 0, 0, 1],
      ],
      [4, 3, 2, 1],
    ],
    [
      'no answer is no better than a refusal',
      [
        [3, 0, 0, 0, 1, 2],
        [3, 0, 0, 1, 0, 2],
        [0, 0, 4, 0, 0, 1],
      ],
      [2, 3, 1],
    ],
    [
      'more roles before more people',
      [
        [5, 0, 0, 1, 0, 1],
        [2, 0, 0, 4, 0, 2],
      ],
      [2, 1],
    ],
    [
      'more who are available, then more who are not sure, then more who would rather not',
      [
        [1, 0, 0, 3, 0, 1],
        [1, 0, 1, 2, 0, 1],
        [1, 1, 0, 2, 0, 1],
        [2, 0, 0, 2, 0, 1],
      ],
      [4, 3, 2, 1],
    ],
    [
      'of equals the earlier',
      [
        [1, 1, 0, 0, 0, 1],
        [1, 1, 0, 0, 0, 1],
        [2, 0, 0, 0, 0, 1],
        [2, 0, 0, 0, 0, 1],
      ],
      [3, 4, 1, 2],
    ],
  ])('%s', (_name, rows, expected) => {
    expect(ranksOf(rows.map(tallyOf))).toEqual(expected)
  })

  test('are those of the rule, said again in other words', () => {
    const few = fc.integer({ min: 0, max: 2 })
    const row: fc.Arbitrary<Row> = fc.tuple(few, few, few, few, few, few)
    /** Whether the first row is better. Of two equal rows the earlier one is better. */
    const isBetter = (a: Row, b: Row): boolean => {
      const classOf = ([, maybe, rather, cannot, open]: Row) =>
        cannot > 0 || open > 0 ? 'd' : rather > 0 ? 'c' : maybe > 0 ? 'b' : 'a'
      if (classOf(a) !== classOf(b)) return classOf(a) < classOf(b)
      for (const place of [5, 0, 1, 2] as const) if (a[place] !== b[place]) return a[place] > b[place]
      return true
    }
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const expected = rows.map(
          (row, index) =>
            1 +
            rows.filter((other, at) => (at < index ? isBetter(other, row) : at > index && !isBetter(row, other)))
              .length,
        )
        expect(ranksOf(rows.map(tallyOf))).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})
