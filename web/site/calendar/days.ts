/** Days of the reader's zone, written as `2026-11-29`, and the times that the calendar shows. */

export const views = ['month', 'week', 'list'] as const
export type View = (typeof views)[number]

const two = (value: number) => String(value).padStart(2, '0')

export const dayKey = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** The start of a day; of today for what is no day. */
export function startOf(key: string | undefined): Date {
  const [year = 0, month = 0, day = 0] = /^\d{4}-\d\d-\d\d$/.test(key ?? '') ? (key ?? '').split('-').map(Number) : []
  const date = year === 0 ? new Date() : new Date(year, month - 1, day)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}

/** By the calendar, so that days of 23 and 25 hours count as one. */
export const addDays = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)

const mondayOf = (date: Date): Date => addDays(date, -((date.getDay() + 6) % 7))

export interface Period {
  readonly from: Date
  /** The first instant after it. */
  readonly to: Date
  readonly earlier: Date
  readonly later: Date
  readonly title: string
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' })
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** What a view shows around a day: whole weeks of a month, a week, or the days of a month. */
export function periodOf(view: View, on: Date): Period {
  if (view === 'week') {
    const from = mondayOf(on)
    const last = addDays(from, 6)
    return {
      ...{ from, to: addDays(from, 7), earlier: addDays(from, -7), later: addDays(from, 7) },
      title: `${shortDay.format(from)} – ${longDay.format(last)}`,
    }
  }
  const first = new Date(on.getFullYear(), on.getMonth(), 1)
  const next = new Date(on.getFullYear(), on.getMonth() + 1, 1)
  const around = { earlier: new Date(on.getFullYear(), on.getMonth() - 1, 1), later: next }
  const title = monthName.format(first)
  if (view === 'list') return { from: first, to: next, ...around, title }
  return { from: mondayOf(first), to: addDays(mondayOf(addDays(next, -1)), 7), ...around, title }
}

/** The weeks of a period, each as its seven days. */
export function weeksOf({ from, to }: Period): readonly (readonly Date[])[] {
  const count = Math.round((to.getTime() - from.getTime()) / (7 * 86_400_000))
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(from, week * 7 + day)),
  )
}
