import type { Day, Grid } from './grid.ts'
import type { Answers, Slot } from './slots.ts'

/** Answers of whole days and weeks on others, by the times of day. */

interface Sheet {
  readonly grid: Grid
  readonly slots: readonly Slot[]
  readonly answers: Answers
}

/** The answers of one day on others: an hour that comes twice there takes the same answer twice. */
export function copiedDay({ grid, slots, answers }: Sheet, from: string, onto: readonly string[]): Answers {
  const copies = grid.rows.flatMap(({ key, time, isRepeated }) => {
    const source = grid.at(from, key) ?? (isRepeated ? grid.at(from, time) : undefined)
    const answer = answers[keyAt(slots, source)]
    if (answer === undefined) return []
    return onto.flatMap((day) => {
      const target = keyAt(slots, grid.at(day, key))
      return target === '' ? [] : [[target, answer] as const]
    })
  })
  return Object.fromEntries(copies)
}

const keyAt = (slots: readonly Slot[], place: number | undefined): string =>
  place === undefined ? '' : (slots[place]?.key ?? '')

const daysOfWeek = 7
const numberOf = ({ key }: Day): number => Date.parse(`${key}T00:00:00Z`) / 86_400_000

/** The weeks of a grid, from its first day on; each by its first day that has slots. */
export function weeksOf({ days }: Grid): readonly { readonly number: number; readonly days: readonly Day[] }[] {
  const first = days[0] === undefined ? 0 : numberOf(days[0])
  const weeks = Map.groupBy(days, (day) => Math.floor((numberOf(day) - first) / daysOfWeek))
  return [...weeks].map(([number, ofWeek]) => ({ number, days: ofWeek }))
}

/** The answers of one week on all others, by the days of the week. */
export function copiedWeek(sheet: Sheet, week: number): Answers {
  const { days } = sheet.grid
  const from = weeksOf(sheet.grid).find(({ number }) => number === week)?.days ?? []
  const isLike = (one: Day, other: Day) => (numberOf(one) - numberOf(other)) % daysOfWeek === 0
  return Object.assign(
    {},
    ...from.map((source) => {
      const others = days.filter((day) => day !== source && isLike(day, source))
      return copiedDay(
        sheet,
        source.key,
        others.map(({ key }) => key),
      )
    }),
  )
}
