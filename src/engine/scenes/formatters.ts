import { instantOf, numberOf, type Plain, type Tree, textOf } from './values.ts'

/**
 * Formatters turn a bound value into the value that is shown. Each takes the result of the one before it. They never
 * throw. (OV3)
 */

/** What some formatters need besides the value. */
export interface Around {
  /** Time of the service, in milliseconds since 1970. */
  readonly now: number
  /** IANA name of the tournament's time zone. */
  readonly timezone: string
  /** Colours of side 1 and side 2: `#rrggbb`. */
  readonly colors: readonly (string | null)[]
}

export interface Format {
  readonly name: string
  readonly args?: readonly Plain[]
}

export type Formatter = (value: Tree | undefined, args: readonly Plain[], around: Around) => Plain

/**
 * Reads a number from the arguments, rounded and limited to 0 to `most`.
 * @param otherwise the result if the argument is missing or is no number
 */
function count(args: readonly Plain[], index: number, otherwise: number, most: number): number {
  const given = numberOf(args[index])
  return given === null ? otherwise : Math.max(0, Math.min(most, Math.round(given)))
}

/** A formatter for numbers; for any other value the result is null. */
function ofNumber(format: (number: number, args: readonly Plain[], around: Around) => Plain): Formatter {
  return (value, args, around) => {
    const number = numberOf(value)
    return number === null ? null : format(number, args, around)
  }
}

function ofInstant(format: (at: number, args: readonly Plain[], around: Around) => Plain): Formatter {
  return (value, args, around) => {
    const at = instantOf(value)
    return at === null ? null : format(at, args, around)
  }
}

const grouped = new Map<number, Intl.NumberFormat>()

function grouping(decimals: number): Intl.NumberFormat {
  const known = grouped.get(decimals)
  if (known !== undefined) return known
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const made = new Intl.NumberFormat('en-US', digits)
  grouped.set(decimals, made)
  return made
}

/** Formats a number with fixed decimals; -0 becomes 0. */
function fixed(number: number, decimals: number): string {
  return (Number(number.toFixed(decimals)) === 0 ? 0 : number).toFixed(decimals)
}

function ordinal(number: number): string {
  const whole = Math.trunc(number)
  const last = Math.abs(whole) % 100
  const ending = last >= 11 && last <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][last % 10] ?? 'th')
  return `${whole}${ending}`
}

/** Formats seconds as `m:ss`, or as `h:mm:ss` from one hour on. */
export function clock(seconds: number): string {
  const all = Math.abs(Math.trunc(seconds))
  const [hours, minutes, rest] = [Math.floor(all / 3_600), Math.floor((all % 3_600) / 60), all % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  const sign = seconds <= -1 ? '-' : ''
  return hours > 0 ? `${sign}${hours}:${two(minutes)}:${two(rest)}` : `${sign}${minutes}:${two(rest)}`
}

/** Units with their length in seconds, the longest first. */
const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

function distance(seconds: number): string {
  const [name, length] = units.find(([, unit]) => Math.abs(seconds) >= unit) ?? ['s', 1]
  return `${Math.floor(Math.abs(seconds) / length)} ${name}`
}

/** The date formats that a scene may use, by name. */
export const datePatterns: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  short: { month: 'short', day: 'numeric' },
  weekday: { weekday: 'long' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  time12: { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  dateTime: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  zone: { timeZoneName: 'short' },
}

function dated(at: number, pattern: string, timeZone: string): string {
  const options = datePatterns[Object.hasOwn(datePatterns, pattern) ? pattern : 'dateTime'] ?? {}
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
    if (pattern !== 'zone') return parts.format(at)
    return parts.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    // This browser does not know the time zone.
    return timeZone === 'UTC' ? '' : dated(at, pattern, 'UTC')
  }
}

const cases: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) =>
    text.replace(
      /\p{L}[\p{L}\p{M}\p{N}'’]*/gu,
      (word) => `${first(word).toUpperCase()}${word.slice(first(word).length)}`,
    ),
}

function first(text: string): string {
  return Array.from(text)[0] ?? ''
}

const difficulties: Readonly<Record<string, readonly [name: string, color: string]>> = {
  easy: ['Easy', '#3cb371'],
  normal: ['Normal', '#59b0f4'],
  hard: ['Hard', '#ff6347'],
  expert: ['Expert', '#bf2a42'],
  expertplus: ['Expert+', '#8f48db'],
}

function difficultyOf(value: Tree | undefined) {
  const name = textOf(value).toLowerCase().replace('+', 'plus')
  return Object.hasOwn(difficulties, name) ? difficulties[name] : undefined
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * Formatters by the names that documents use. They return null for a missing value, so that the fallback is shown.
 * (OV2, OV3)
 */
export const formatters: Readonly<Record<string, Formatter>> = {
  number: ofNumber((number, args) => {
    const decimals = count(args, 0, 0, 6)
    return args[1] === false ? fixed(number, decimals) : grouping(decimals).format(Number(fixed(number, decimals)))
  }),
  percent: ofNumber((share, args) => `${fixed(share * 100, count(args, 0, 2, 6))}%`),
  ordinal: ofNumber(ordinal),
  signed: ofNumber((number, args) => {
    const text = grouping(count(args, 0, 0, 6)).format(Math.abs(number))
    return Number(text.replaceAll(',', '')) === 0 ? `±${text}` : `${number < 0 ? '−' : '+'}${text}`
  }),
  duration: ofNumber(clock),
  countdown: ofInstant((at, _args, { now }) => clock(Math.max(0, Math.ceil((at - now) / 1_000)))),
  relativeTime: ofInstant((at, _args, { now }) => {
    const seconds = (at - now) / 1_000
    if (Math.abs(seconds) < 1) return 'now'
    return seconds > 0 ? `in ${distance(seconds)}` : `${distance(seconds)} ago`
  }),
  date: ofInstant((at, args, { timezone }) => dated(at, textOf(args[0]), textOf(args[1]) || timezone)),
  case: (value, args) => (own(cases, textOf(args[0]))?.(textOf(value)) ?? textOf(value)) || null,
  truncate: (value, args) => {
    const letters = Array.from(textOf(value))
    if (letters.length === 0) return null
    const most = count(args, 0, 20, 2_000)
    return letters.length <= most
      ? letters.join('')
      : `${letters
          .slice(0, Math.max(0, most - 1))
          .join('')
          .trimEnd()}…`
  },
  prefix: (value, args) => (textOf(value) === '' ? null : `${textOf(args[0])}${textOf(value)}`),
  suffix: (value, args) => (textOf(value) === '' ? null : `${textOf(value)}${textOf(args[0])}`),
  template: (value, args) => (textOf(value) === '' ? null : textOf(args[0]).replaceAll('{}', () => textOf(value))),
  map: (value, args) => {
    for (let index = 0; index + 1 < args.length; index += 2) {
      if (textOf(args[index]) === textOf(value)) return args[index + 1] ?? null
    }
    // With an odd number of arguments, the last one is the result for all other values.
    return args.length % 2 === 1 ? (args.at(-1) ?? null) : textOf(value) || null
  },
  default: (value, args) => (textOf(value) === '' ? (args[0] ?? null) : textOf(value)),
  difficultyColor: (value) => difficultyOf(value)?.[1] ?? null,
  difficultyName: (value) => difficultyOf(value)?.[0] ?? (textOf(value) || null),
  sideColor: (value, _args, { colors }) => colors[(numberOf(value) ?? 0) - 1] ?? null,
  flag: (value) => {
    const code = textOf(value).toUpperCase()
    // A flag is two letters of the flag alphabet. (Unicode: regional indicators)
    return /^[A-Z]{2}$/.test(code)
      ? String.fromCodePoint(...Array.from(code, (letter) => 0x1f1e6 + letter.charCodeAt(0) - 65))
      : null
  },
  /**
   * The value of a tug-of-war bar, 0.5 while it is level. The larger the difference, the less each further point
   * counts.
   */
  logShare: ofNumber((difference, args) => {
    const scale = Math.max(1, numberOf(args[0]) ?? 1_000)
    const pull = Math.min(1, Math.log1p(Math.abs(difference) / scale) / Math.log1p(100))
    return 0.5 + (Math.sign(difference) * pull) / 2
  }),
  initials: (value) => {
    const words = textOf(value).match(/[\p{L}\p{N}]+/gu) ?? []
    return (
      words
        .slice(0, 3)
        .map((word) => first(word).toUpperCase())
        .join('') || null
    )
  },
}

/**
 * Applies the formats in order. An unknown formatter leaves the value unchanged, because a document may be newer than
 * the page that shows it.
 */
export function formatted(value: Tree | undefined, formats: readonly Format[], around: Around): Tree | undefined {
  let shown = value
  for (const { name, args = [] } of formats) {
    const formatter = own(formatters, name)
    if (formatter !== undefined) shown = formatter(shown, args, around)
  }
  return shown
}
