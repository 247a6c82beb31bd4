/** Days of the civil calendar as spans of time, found by formatting dates. */

const formats = new Map<string, Intl.DateTimeFormat>()
const quarter = 15 * 60_000

/** The date in a time zone, such as `2026-03-29`. */
export function localDate(zone: string, time: number): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  formats.set(zone, format)
  return format.format(time)
}

/** The first instant of a day: midnight, or the end of a skipped hour. */
export function startOfDay(zone: string, date: string): number {
  const noon = Date.parse(`${date}T12:00:00Z`)
  for (let time = noon - 27 * 3_600_000; time < noon + 15 * 3_600_000; time += quarter) {
    if (localDate(zone, time) === date) return time
  }
  throw new Error(`${zone} has no ${date}`)
}

export function nextDate(date: string, days = 1): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** A whole day, from its first instant to that of the next day. */
export function dayOf(zone: string, date: string): { start: number; end: number } {
  return { start: startOfDay(zone, date), end: startOfDay(zone, nextDate(date)) }
}
