import type { Slot } from './slots.ts'

/**
 * The slots of a sheet as a table of days and times of day. A slot is an instant, so on a day on which clocks change a
 * time of day is missing, or is there twice. (W13)
 */

export interface Day {
  /** Such as `2026-10-25`. */
  readonly key: string
  /** An instant of it. */
  readonly at: number
  /** Whether clocks are put forward or back on it. */
  readonly change: 'forward' | 'back' | null
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
  /** Whether the clocks of a day skip the time of a row. */
  isSkipped(day: Day, row: Row): boolean
}

const cellKey = (day: string, row: string) => `${day} ${row}`
const dayMs = 86_400_000
const minuteMs = 60_000
/** By how much clocks are put back: half an hour on Lord Howe Island, an hour elsewhere. */
const shiftsMs = [1_800_000, 3_600_000]

export function gridOf(slots: readonly Slot[], zone: string): Grid {
  const wallOf = wallClock(zone)
  const days = new Map<string, Day>()
  const rows = new Map<string, Row>()
  const cells = new Map<string, number>()
  for (const [place, { start }] of slots.entries()) {
    const { day, time, text } = wallOf(start)
    const isRepeated = shiftsMs.some((shift) => wallOf(start - shift).text === text)
    const key = isRepeated ? again(time) : time
    if (!days.has(day)) days.set(day, { key: day, at: start, change: changeOn(day, wallOf) })
    rows.set(key, { key, time, isRepeated })
    cells.set(cellKey(day, key), place)
  }
  return {
    days: [...days.values()].toSorted((a, b) => a.at - b.at),
    rows: [...rows.values()].toSorted((a, b) => compare(orderOf(a), orderOf(b))),
    at: (day, row) => cells.get(cellKey(day, row)),
    isSkipped: ({ key, change }, { time, isRepeated }) =>
      change === 'forward' && !isRepeated && !isThere(`${key} ${time}`, wallOf),
  }
}

/** The key of the row of the second such time. */
const again = (time: string): string => `${time}+`

type WallClock = (at: number) => { readonly day: string; readonly time: string; readonly text: string }

function wallClock(zone: string): WallClock {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
  })
  return (at) => {
    const of = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]))
    const [day, time] = [`${of.year}-${of.month}-${of.day}`, `${of.hour}:${of.minute}`]
    return { day, time, text: `${day} ${time}` }
  }
}

/** By how much the clocks are ahead of UTC, at a whole minute. */
const aheadAt = (at: number, wallOf: WallClock): number => utcOf(wallOf(at).text) - at
const utcOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}:00Z`)

function changeOn(day: string, wallOf: WallClock): Day['change'] {
  const [midnight, noon] = [utcOf(`${day} 00:00`), utcOf(`${day} 12:00`)]
  const before = aheadAt(midnight - aheadAt(midnight - dayMs, wallOf) - minuteMs, wallOf)
  const after = aheadAt(noon - aheadAt(noon, wallOf), wallOf)
  if (before === after) return null
  return after > before ? 'forward' : 'back'
}

const isThere = (text: string, wallOf: WallClock): boolean =>
  [-dayMs, dayMs].some((away) => wallOf(utcOf(text) - aheadAt(utcOf(text) + away, wallOf)).text === text)

/** All of a repeated hour comes after all of the hour that it repeats. */
const orderOf = ({ time, isRepeated }: Row): string => `${time.slice(0, 2)}${isRepeated ? 1 : 0}${time.slice(3)}`
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
