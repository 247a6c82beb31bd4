import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import type { CalendarEntry } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { dayOf, Instant, timeOf } from '../parts/time.tsx'
import styles from './calendar.module.css'
import { addDays, dayKey, type Period, weeksOf } from './days.ts'

/** Entries of the calendar, in a grid of weeks and as a list of days. */

const dayMs = 86_400_000
/** More of a day than this is shown in the view of its week. */
const shownOfDay = 4

const keyOf = ({ kind, guid, tournament, title, startsAt }: CalendarEntry) =>
  `${kind} ${guid ?? tournament?.guid} ${title} ${startsAt}`
const endOf = ({ startsAt, endsAt }: CalendarEntry) => Date.parse(endsAt ?? startsAt)
const isLong = (entry: CalendarEntry) => endOf(entry) - Date.parse(entry.startsAt) >= dayMs

/** What an entry is of, where its title does not say so. */
const contextOf = ({ kind, tournament, award }: CalendarEntry) =>
  kind === 'tournament' ? null : (tournament?.name ?? award?.title ?? null)

function EntryLink({ entry, children }: { readonly entry: CalendarEntry; readonly children: ReactNode }) {
  const { kind, tournament, award, cancelled } = entry
  const className = `plain ${cancelled ? styles.cancelled : ''}`
  if (award !== null)
    return (
      <Link to="/awards/$edition" params={{ edition: award.id }} className={className}>
        {children}
      </Link>
    )
  if (tournament === null) return <span>{children}</span>
  const to =
    kind === 'match' ? '/t/$tournament/matches' : kind === 'timeline' ? '/t/$tournament/schedule' : '/t/$tournament'
  return (
    <Link to={to} params={{ tournament: tournament.id }} className={className}>
      {children}
    </Link>
  )
}

function Named({ entry }: { readonly entry: CalendarEntry }) {
  const context = contextOf(entry)
  return (
    <>
      <bdi className="strong">{entry.title}</bdi>
      {entry.cancelled && <span> {words('calendar.cancelled')}</span>}
      {context !== null && (
        <span className={styles.context}>
          {' '}
          <bdi>{context}</bdi>
        </span>
      )}
    </>
  )
}

interface WeeksProps {
  readonly entries: readonly CalendarEntry[]
  readonly period: Period
  /** The month whose days are meant; all of them in the view of a week. */
  readonly month: number | undefined
  readonly weekOf: (day: string) => Record<string, string | undefined>
}

export function Weeks({ entries, period, month, weekOf }: WeeksProps) {
  const today = dayKey(new Date())
  const weeks = weeksOf(period)
  return (
    <div className={`${styles.weeks} ${month === undefined ? styles.one : ''}`}>
      <div className={styles.names} aria-hidden="true">
        {weeks[0]?.map((day) => (
          <span key={day.getDay()}>{day.toLocaleDateString('en-GB', { weekday: 'short' })}</span>
        ))}
      </div>
      {weeks.map((days) => (
        <Week key={dayKey(days[0] as Date)} {...{ days, entries, period, month, today, weekOf }} />
      ))}
    </div>
  )
}

interface WeekProps extends WeeksProps {
  readonly days: readonly Date[]
  readonly today: string
}

function Week({ days, entries, period, month, today, weekOf }: WeekProps) {
  const first = days[0] as Date
  const [from, to] = [first.getTime(), addDays(first, 7).getTime()]
  const here = entries.filter((entry) => Date.parse(entry.startsAt) < to && endOf(entry) >= from)
  /** The column of an instant; what lies outside of the week is at its edges. */
  const columnAt = (at: number) => days.filter((day) => day.getTime() <= at).length
  /** The week before has it already. */
  const isContinued = ({ startsAt }: CalendarEntry) => Date.parse(startsAt) < from && from > period.from.getTime()
  /** Where the bar ends that each line of bars has last. */
  const lanes: number[] = []
  const bars = here.filter(isLong).map((entry) => {
    const first = Math.max(1, columnAt(Date.parse(entry.startsAt)))
    const last = columnAt(Math.min(endOf(entry), to - 1))
    const free = lanes.findIndex((end) => end < first)
    const lane = free === -1 ? lanes.length : free
    lanes[lane] = last
    return { entry, place: { gridColumn: `${first} / ${last + 1}`, gridRow: lane + 1 } }
  })
  return (
    <section
      className={styles.week}
      style={{ '--lanes': lanes.length } as CSSProperties}
      aria-label={words('calendar.week-of', { day: dayOf(first.toISOString()) })}
    >
      {bars.length > 0 && (
        <ul className={styles.bars}>
          {bars.map(({ entry, place }) => (
            <li
              key={keyOf(entry)}
              className={`${styles.bar} ${styles[entry.kind] ?? ''} ${isContinued(entry) ? styles.continued : ''}`}
              style={place}
            >
              <EntryLink entry={entry}>
                <Named entry={entry} />
              </EntryLink>
              <span className={styles.until}>
                {words('calendar.from-until', {
                  from: dayOf(entry.startsAt),
                  day: dayOf(entry.endsAt ?? entry.startsAt),
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ol className={styles.days}>
        {days.map((day) => {
          const key = dayKey(day)
          const own = here.filter((entry) => !isLong(entry) && dayKey(new Date(entry.startsAt)) === key)
          const shown = month === undefined || own.length <= shownOfDay + 1 ? own : own.slice(0, shownOfDay)
          const isOutside = month !== undefined && day.getMonth() !== month
          return (
            <li
              key={key}
              className={`${own.length === 0 ? styles.free : ''} ${isOutside ? styles.outside : ''}`}
              aria-current={key === today ? 'date' : undefined}
            >
              <time dateTime={key} className={styles.date}>
                <span className={styles.long}>{dayOf(day.toISOString())}</span>
                <span className={styles.number} aria-hidden="true">
                  {day.getDate()}
                </span>
              </time>
              {own.length > 0 && (
                <ul className={styles.own}>
                  {shown.map((entry) => (
                    <li key={keyOf(entry)}>
                      <EntryLink entry={entry}>
                        <time dateTime={entry.startsAt} className="code">
                          {timeOf(entry.startsAt)}
                        </time>{' '}
                        <Named entry={entry} />
                      </EntryLink>
                    </li>
                  ))}
                  {shown.length < own.length && (
                    <li>
                      <Link to="/calendar" search={weekOf(key)}>
                        {words('calendar.more', { count: own.length - shown.length })}
                      </Link>
                    </li>
                  )}
                </ul>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

export function Agenda({ entries, period }: { readonly entries: readonly CalendarEntry[]; readonly period: Period }) {
  const from = period.from.getTime()
  const before = entries.filter(({ startsAt }) => Date.parse(startsAt) < from)
  const days = Map.groupBy(
    entries.filter(({ startsAt }) => Date.parse(startsAt) >= from),
    ({ startsAt }) => dayOf(startsAt),
  )
  return (
    <>
      {before.length > 0 && <Lines title={words('calendar.goes-on')} entries={before} />}
      {[...days].map(([day, each]) => (
        <Lines key={day} title={day} entries={each} />
      ))}
    </>
  )
}

function Lines({ title, entries }: { readonly title: string; readonly entries: readonly CalendarEntry[] }) {
  return (
    <div className={styles.agenda}>
      <h3>{title}</h3>
      <ul className="lines">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>
            <Instant at={entry.startsAt} as={title === dayOf(entry.startsAt) ? 'time' : 'day'} />
            <div>
              <EntryLink entry={entry}>
                <Named entry={entry} />
              </EntryLink>
              {isLong(entry) && (
                <p className="muted small">{words('calendar.until', { day: dayOf(entry.endsAt ?? entry.startsAt) })}</p>
              )}
            </div>
            <span className={`muted ${styles.kind}`}>{words(`calendar.${entry.kind}`)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
