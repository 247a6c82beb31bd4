import type { AvailabilityWindow } from '../../../../client/generated.ts'

/**
 * The slots of a sheet as a table of days and times of day. A slot is an instant, so on a day on which clocks change a
 * time of day is missing, or is there twice.
 */

export interface Slot {
  readonly start: number
  readonly end: number
}

const minuteMs = 60_000

export function slotsOf(windows: readonly AvailabilityWindow[], minutes: number): readonly Slot[] {
  const size = minutes * minuteMs
  return windows.flatMap(({ startsAt, endsAt }) => {
    const [from, to] = [Date.parse(startsAt), Date.parse(endsAt)]
    const count = Math.max(0, Math.ceil((to - from) / size))
    return Array.from({ length: count }, (_, at) => ({
      start: from + at * size,
      end: Math.min(to, from + (at + 1) * size),
    }))
  })
}

export interface Day {
  /** Such as `2026-10-25`. */
  readonly key: string
  /** An instant of it. */
  readonly at: number
}

export interface Row {
  readonly key: string
  /** Such as `18:30`. */
  readonly time: string
  /** Whether it is the second such time of a day on which clocks are put back. */
  readonly isRepeated: boolean
}

export interface Grid {
  readonly days: readonly Day[]
  readonly rows: readonly Row[]
  /** The place of the slot in a day and a row; undefined where there is none. */
  at(day: string, row: string): number | undefined
}

const cellKey = (day: string, row: string) => `${day} ${row}`

export function gridOf(slots: readonly Slot[], zone: string): Grid {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
  })
  const days = new Map<string, Day>()
  const rows = new Map<string, Row>()
  const cells = new Map<string, number>()
  for (const [place, { start }] of slots.entries()) {
    const of = Object.fromEntries(parts.formatToParts(start).map(({ type, value }) => [type, value]))
    const day = `${of.year}-${of.month}-${of.day}`
    const time = `${of.hour}:${of.minute}`
    const isRepeated = cells.has(cellKey(day, time))
    const key = isRepeated ? `${time}+` : time
    if (!days.has(day)) days.set(day, { key: day, at: start })
    rows.set(key, { key, time, isRepeated })
    cells.set(cellKey(day, key), place)
  }
  return {
    days: [...days.values()].toSorted((a, b) => a.at - b.at),
    rows: [...rows.values()].toSorted((a, b) => compare(orderOf(a), orderOf(b))),
    at: (day, row) => cells.get(cellKey(day, row)),
  }
}

/** All of a repeated hour comes after all of the hour that it repeats. */
const orderOf = ({ time, isRepeated }: Row): string => `${time.slice(0, 2)}${isRepeated ? 1 : 0}${time.slice(3)}`
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Neighbouring slots with one answer as one span. */
export function spansOf<Status extends string>(slots: readonly Slot[], answers: readonly (Status | null)[]) {
  const spans: { status: Status; start: number; end: number }[] = []
  for (const [place, { start, end }] of slots.entries()) {
    const status = answers[place] ?? null
    if (status === null) continue
    const last = spans.at(-1)
    if (last !== undefined && last.status === status && last.end === start) last.end = end
    else spans.push({ status, start, end })
  }
  return spans.map(({ status, start, end }) => ({
    status,
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(end).toISOString(),
  }))
}

/** What was answered for each slot. */
export function answersOf<Status extends string>(
  slots: readonly Slot[],
  given: readonly { readonly status: Status; readonly startsAt: string | null; readonly endsAt: string | null }[],
): readonly (Status | null)[] {
  const spans = given.flatMap(({ status, startsAt, endsAt }) =>
    startsAt === null || endsAt === null ? [] : [{ status, from: Date.parse(startsAt), to: Date.parse(endsAt) }],
  )
  return slots.map(({ start }) => spans.find(({ from, to }) => from <= start && start < to)?.status ?? null)
}
