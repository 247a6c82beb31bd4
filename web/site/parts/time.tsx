import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import { now } from '../data/live.ts'
import { words } from '../data/words.ts'

/** Instants, in the reader's zone and in the tournament's too where that differs. (W13) */

export const ownZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(name: 'day' | 'time' | 'full' | 'long' | 'offset', zone: string): Intl.DateTimeFormat {
  const key = `${name} ${zone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const shown: Intl.DateTimeFormatOptions = {
    ...(name === 'offset' && { timeZoneName: 'shortOffset' }),
    ...(name !== 'time' && name !== 'offset' && { weekday: 'short', day: 'numeric', month: 'short' }),
    ...(name === 'long' && { year: 'numeric' }),
    ...((name === 'time' || name === 'full' || name === 'long') && { hour: '2-digit', minute: '2-digit' }),
  }
  const made = new Intl.DateTimeFormat('en-GB', { ...shown, timeZone: zone, hourCycle: 'h23' })
  formats.set(key, made)
  return made
}

export const dayOf = (at: string, zone = ownZone): string => formatOf('day', zone).format(new Date(at))
export const timeOf = (at: string, zone = ownZone): string => formatOf('time', zone).format(new Date(at))
export const fullOf = (at: string, zone = ownZone): string => formatOf('full', zone).format(new Date(at))

export const isToday = (at: number): boolean => new Date(at).toDateString() === new Date().toDateString()

const nearMs = 6 * 86_400_000

/** The weekday within six days, else the date, where there is no room for both. */
export function shortDayOf(at: string): string {
  const isNear = Math.abs(Date.parse(at) - now()) < nearMs
  return new Date(at).toLocaleDateString('en-GB', isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' })
}

/** The offset of a zone from UTC at an instant, such as `UTC+1`. */
export function offsetOf(zone: string, at: number = Date.now()): string {
  const parts = formatOf('offset', zone).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
  return name.replace('GMT', 'UTC').replace('-', '−')
}

export const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

export function isSameZone(one: string, other: string, at: number): boolean {
  return offsetOf(one, at) === offsetOf(other, at)
}

interface Shown {
  readonly at: string
  /** The tournament's zone. */
  readonly zone?: string | undefined
  readonly as?: 'day' | 'time' | 'full'
}

export function Instant({ at, zone, as = 'full' }: Shown) {
  const own = useContext(ShownZone)
  const other = own === ownZone ? zone : ownZone
  const show = { day: dayOf, time: timeOf, full: fullOf }[as]
  const differs = other !== undefined && as !== 'day' && !isSameZone(other, own, Date.parse(at))
  const offset = offsetOf(own, Date.parse(at))
  return (
    <time dateTime={at} title={`${formatOf('long', own).format(new Date(at))}, ${cityOf(own)}, ${offset}`}>
      {show(at, own)}
      {differs && (
        <span className={as === 'time' ? 'muted only-wide' : 'muted'}> ({elsewhere(at, other, own, as)})</span>
      )}
    </time>
  )
}

/** The zone in which a page shows its times: the reader's, unless they ask for the tournament's. */
export const ShownZone = createContext(ownZone)

/**
 * The same instant in another zone, with its day where that is another one, and its offset then. Lines of a table say
 * the city alone: their page says the offset.
 */
function elsewhere(at: string, zone: string, own: string, as: Shown['as']): string {
  const day = dayOf(at, zone)
  const time = `${day === dayOf(at, own) ? '' : `${day}, `}${timeOf(at, zone)}`
  return words('time.elsewhere', { time, zone: as === 'time' ? cityOf(zone) : zoneOf(zone, Date.parse(at)) })
}

/** The name of a zone with its offset at an instant, such as `Berlin, UTC+1`. */
export function zoneOf(zone: string, at?: number): string {
  const city = cityOf(zone)
  return city === 'UTC' ? city : `${city}, ${offsetOf(zone, at)}`
}

/** The first and last day of something. */
export function Span({ from, to }: { readonly from: string | null; readonly to: string | null }) {
  if (from === null) return <>{words('time.open')}</>
  const year = new Date(to ?? from).getFullYear()
  return (
    <>
      <time dateTime={from}>{dayOf(from)}</time>
      {to !== null && dayOf(to) !== dayOf(from) && (
        <>
          {' – '}
          <time dateTime={to}>{dayOf(to)}</time>
        </>
      )}{' '}
      {year}
    </>
  )
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "2 hours ago" within a day, with the instant itself after it; else the instant alone. */
export function Ago({ at }: { readonly at: string }) {
  const time = useNow(30_000)
  const away = Date.parse(at) - time
  if (Math.abs(away) >= 86_400_000) return <Instant at={at} />
  const [unit, size] = units.find(([, each]) => Math.abs(away) >= each) ?? units[2]
  return (
    <time dateTime={at}>
      {relative.format(Math.round(away / size), unit)} ({timeOf(at)})
    </time>
  )
}

/** What the clock of the tournament shows at an instant of the service; another one in rehearsals alone. (R2) */
export const ClockOf = createContext((real: number): number => real)

/** Tells what the clock shows, in milliseconds: that of the service, in a rehearsal its own. It changes when that is set. */
export function useClock(): () => number {
  const shownAt = useContext(ClockOf)
  return useCallback(() => shownAt(now()), [shownAt])
}

/** What the clock shows, anew in such steps of real time. */
export function useNow(stepMs: number): number {
  const clock = useClock()
  const [time, setTime] = useState(clock)
  useEffect(() => {
    const look = () => setTime(clock())
    look()
    const timer = setInterval(look, stepMs)
    return () => clearInterval(timer)
  }, [stepMs, clock])
  return time
}
