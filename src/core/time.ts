import type { Checked } from './text.ts'

/** Parses and formats instants and time zones. (D7) */

const earliest = Date.UTC(2020, 0, 1)
const hour = 3_600_000
const minute = 60_000
const second = 1_000

/** Calendar (2026-05-01), ordinal (2026-121) and week dates (2026-W18-5), each also in basic format, without hyphens. */
const datePattern =
  '(?<year>\\d{4})(?:(?<ext>-)(?:(?<month>\\d\\d)-(?<day>\\d\\d)|(?<ordinal>\\d{3})|W(?<week>\\d\\d)-(?<weekday>\\d))' +
  '|(?<month>\\d\\d)(?<day>\\d\\d)|(?<ordinal>\\d{3})|W(?<week>\\d\\d)(?<weekday>\\d))'
/** Hours, with minutes and seconds in extended (18:00:00) or basic format; a fraction may follow the last of them. */
const timePattern =
  '(?<hour>\\d\\d)(?:(?<colon>:)(?<minute>\\d\\d)(?::(?<second>\\d\\d))?|(?<minute>\\d\\d)(?<second>\\d\\d)?)?' +
  '(?:[.,](?<fraction>\\d+))?'
/** ISO 8601 writes the negative sign as a hyphen or, where there is one, as a minus sign. */
const zonePattern = '(?<zone>Z|(?<sign>[+\\-\\u2212])(?<zoneHour>\\d\\d)(?::?(?<zoneMinute>\\d\\d))?)'
const instantPattern = new RegExp(`^${datePattern}T${timePattern}${zonePattern}?$`, 'i')
const dateOnly = new RegExp(`^${datePattern}$`, 'i')

type Parts = Readonly<Record<string, string | undefined>>

/**
 * Reads an ISO 8601 instant with a zone; the Unix epoch, in any spelling, means unset and gives null. (D7)
 *
 * Fractions of any length are cut to milliseconds. 24:00 is the end of the day. A leap second is refused, since no
 * clock here could show it. Zones may be ±hh:mm, ±hhmm or ±hh with any date format; date and time must use the same
 * format, basic or extended, as ISO 8601 requires. Years have four digits. `reason` ends a sentence that begins with
 * the member's name.
 */
export function parseInstant(text: string): Checked<Date | null> {
  const read = parseAnyInstant(text)
  if (!read.ok || read.value === null) return read
  const fault = rangeFaultOf(read.value)
  return fault === null ? read : no(fault)
}

/** Like `parseInstant`, but for any year: an import refuses only the row with a date out of range. (D62) */
export function parseAnyInstant(text: string): Checked<Date | null> {
  const parts = instantPattern.exec(text)?.groups
  if (parts === undefined) return no(whyNoInstant(text))
  if (!keepsOneFormat(parts)) return no('must not mix the ISO 8601 formats with and without separators')
  if (parts.zone === undefined) return no('must carry a time zone, such as 2026-05-01T18:00:00Z')
  const day = readDate(parts)
  if (day === null) return no('must name a day that exists in the calendar')
  const time = readTime(parts)
  if (!time.ok) return time
  const offset = readOffset(parts)
  if (offset === null) return no('must have a time zone offset of at most 23 hours and 59 minutes')
  const instant = day + time.value - offset
  return { ok: true, value: instant === 0 ? null : new Date(instant) }
}

/**
 * Reads an optional instant; null where it is missing or unset. (D7)
 * @param refuse makes the error for an invalid text; its `reason` ends a sentence that begins with the member's name
 */
export function readInstant(text: string | null | undefined, refuse: (reason: string) => Error): Date | null {
  if (text == null) return null
  const read = parseInstant(text)
  if (!read.ok) throw refuse(read.reason)
  return read.value
}

function no(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

function whyNoInstant(text: string): string {
  if (/^[+\-\u2212]\d/.test(text)) return 'must have a year of four digits, without a sign'
  if (dateOnly.test(text)) return 'must carry a time of day and a time zone, such as 2026-05-01T18:00:00Z'
  return 'must be an ISO 8601 instant, such as 2026-05-01T18:00:00Z'
}

/** An hour alone fits both formats. */
function keepsOneFormat(parts: Parts): boolean {
  return parts.minute === undefined || (parts.ext === undefined) === (parts.colon === undefined)
}

/** Midnight UTC of the date, in milliseconds since the epoch, or null when the calendar has no such day. */
function readDate(parts: Parts): number | null {
  const year = Number(parts.year)
  if (parts.ordinal !== undefined) return dayOfYear(year, Number(parts.ordinal))
  if (parts.week !== undefined) return dayOfWeek(year, Number(parts.week), Number(parts.weekday))
  const month = Number(parts.month)
  const day = Number(parts.day)
  const date = new Date(utc(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null
}

/** Unlike `Date.UTC`, does not move the years 0 to 99 into the 20th century. */
function utc(year: number, monthIndex: number, day: number): number {
  return new Date(0).setUTCFullYear(year, monthIndex, day)
}

function dayOfYear(year: number, ordinal: number): number | null {
  const date = utc(year, 0, ordinal)
  return new Date(date).getUTCFullYear() === year ? date : null
}

/** Week 1 is the one with the year's first Thursday, hence with 4 January; days count from Monday, 1. */
function dayOfWeek(year: number, week: number, weekday: number): number | null {
  if (week < 1 || weekday < 1 || weekday > 7) return null
  const fourth = new Date(utc(year, 0, 4))
  const thursday = utc(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7 + 3)
  // A week belongs to the year of its Thursday, so a 53rd one may not exist.
  if (new Date(thursday).getUTCFullYear() !== year) return null
  return thursday + (weekday - 4) * 24 * hour
}

/** Milliseconds since midnight. */
function readTime(parts: Parts): Checked<number> {
  const hours = Number(parts.hour)
  const minutes = Number(parts.minute ?? 0)
  const seconds = Number(parts.second ?? 0)
  if (seconds === 60) return no('must not be a leap second; seconds go from 00 to 59')
  const whole = hours * hour + minutes * minute + seconds * second
  const value = whole + readFraction(parts)
  const exists = minutes < 60 && seconds < 60 && (hours < 24 || (hours === 24 && isZero(parts)))
  return exists ? { ok: true, value } : no('must have a time of day from 00:00:00 to 24:00:00')
}

function isZero(parts: Parts): boolean {
  return /^0*$/.test(`${parts.minute ?? ''}${parts.second ?? ''}${parts.fraction ?? ''}`)
}

/** A fraction belongs to the smallest unit given. Twenty digits of it are more than a millisecond can tell apart. */
function readFraction(parts: Parts): number {
  const digits = parts.fraction?.slice(0, 20) ?? '0'
  const unit = parts.second !== undefined ? second : parts.minute !== undefined ? minute : hour
  return Number((BigInt(digits) * BigInt(unit)) / 10n ** BigInt(digits.length))
}

/** Milliseconds that local time is ahead of UTC. */
function readOffset(parts: Parts): number | null {
  if (parts.sign === undefined) return 0
  const hours = Number(parts.zoneHour)
  const minutes = Number(parts.zoneMinute ?? 0)
  if (hours > 23 || minutes > 59) return null
  return (parts.sign === '+' ? 1 : -1) * (hours * hour + minutes * minute)
}

/**
 * Dates before 2020 are refused. (D7)
 * @returns the end of a sentence that begins with the member's name
 */
export function rangeFaultOf(date: Date): string | null {
  if (date.getTime() < earliest) return 'must not be before 2020-01-01T00:00:00Z'
  // A zone can shift the last hours of 9999 into a year with five digits.
  return date.getUTCFullYear() > 9999 ? 'must not be after the year 9999' : null
}

/** ISO 8601 in UTC with milliseconds and `Z`; null stays null. (D7) */
export function formatInstant(date: Date): string
export function formatInstant(date: Date | null): string | null
export function formatInstant(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

/**
 * Names that the runtime accepts for compatibility with old Java. IANA has no such names, and other systems may read
 * them differently.
 */
const notIana = new Set(
  (
    'act aet agt art ast bet bst cat cnt cst ctt eat ect iet ist jst mit net nst plt pnt prt pst sst vst ' +
    'systemv/ast4 systemv/ast4adt systemv/cst6 systemv/cst6cdt systemv/est5 systemv/est5edt systemv/hst10 ' +
    'systemv/mst7 systemv/mst7mdt systemv/pst8 systemv/pst8pdt systemv/yst9 systemv/yst9ydt'
  ).split(' '),
)

/** Whether a name is in the IANA time zone database, as a zone or as an alias, in any case. An offset is not a name. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][a-z0-9_+\-/]{0,63}$/i.test(name) || notIana.has(name.toLowerCase())) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
