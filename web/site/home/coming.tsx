import { Link } from '@tanstack/react-router'
import type { MatchCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import type { CalendarEntry } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { matchLink, roundName, type Side, SideName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { MatchState } from '../parts/state.tsx'
import { dayOf, Instant, timeOf } from '../parts/time.tsx'
import styles from './home.module.css'
import { hourMs, instant } from './hours.ts'

/** The next 24 hours, hour by hour: matches, and what else the calendar has. */

interface Line {
  readonly at: string
  readonly match?: MatchCard
  readonly entry?: CalendarEntry
}

export function Coming({ from }: { readonly from: number }) {
  const window = { from: instant(from), to: instant(from + 24 * hourMs) }
  const matches = useRead(address('/matches', {}, { status: 'ready,waiting,locked', limit: 50, ...window }), {
    live: true,
  })
  const calendar = useRead(
    address('/calendar', {}, { kinds: 'tournament,registration,timeline,qualifier,award', limit: 50, ...window }),
  )
  return (
    <Section
      title={words('home.next')}
      beside={
        <>
          <a href="/api/calendar.ics">{words('home.subscribe')}</a>
          <Link to="/calendar" search={{}}>
            {words('calendar.title')}
          </Link>
        </>
      }
    >
      <Loaded of={{ ...matches, data: calendar.isPending ? undefined : matches.data }} rows={6}>
        {(found) => <Hours lines={linesOf(found.matches, calendar.data?.entries ?? [], from)} />}
      </Loaded>
    </Section>
  )
}

/** What begins, and what of longer matters ends, in order of time. */
function linesOf(matches: readonly MatchCard[], entries: readonly CalendarEntry[], from: number): readonly Line[] {
  const begins = entries.filter(({ startsAt, cancelled }) => !cancelled && Date.parse(startsAt) >= from)
  return [
    ...matches.flatMap((match) => (match.scheduledAt === null ? [] : [{ at: match.scheduledAt, match }])),
    ...begins.map((entry) => ({ at: entry.startsAt, entry })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** So many lines are shown; the calendar has the others. */
const shown = 16
const hourOf = ({ at }: Line) => `${dayOf(at)} ${timeOf(at).slice(0, 2)}`

function Hours({ lines }: { readonly lines: readonly Line[] }) {
  if (lines.length === 0) return <Empty>{words('home.no-next')}</Empty>
  const days = Map.groupBy(lines.slice(0, shown), ({ at }) => dayOf(at))
  const rest = lines.length - shown
  return (
    <div className={styles.hours}>
      {[...days].map(([day, ofDay]) => (
        <div key={day}>
          {days.size > 1 && <h3>{day}</h3>}
          {[...Map.groupBy(ofDay, hourOf)].map(([hour, each]) => (
            <ul key={hour}>
              {each.map(({ at, match, entry }) => (
                <li key={match?.guid ?? `${entry?.kind} ${entry?.guid ?? entry?.tournament?.guid} ${entry?.title}`}>
                  <span className={styles.time}>
                    <Instant at={at} as="time" />
                  </span>
                  {match !== undefined ? <Pairing match={match} /> : entry !== undefined && <Event entry={entry} />}
                </li>
              ))}
            </ul>
          ))}
        </div>
      ))}
      {rest > 0 && (
        <p className={styles.more}>
          <Link to="/calendar" search={{ view: 'list' }}>
            {words('calendar.more', { count: rest })}
          </Link>
        </p>
      )}
    </div>
  )
}

function Pairing({ match }: { readonly match: MatchCard }) {
  const { tournament, division, number, status, streamUrl } = match
  return (
    <>
      <Link {...matchLink(tournament.id, division.id, number)} className={`plain ${styles.pairing}`}>
        <SideName side={match.sides[0] as Side} />
        <span className="muted only-wide">{words('home.against')}</span>
        <SideName side={match.sides[1] as Side} />
        <span className="unseen">{words('match.open', { number })}</span>
      </Link>
      <span className={`${styles.of} muted`}>
        <Link to="/t/$tournament" params={{ tournament: tournament.id }} className="plain">
          <bdi>{tournament.name}</bdi>
        </Link>
        {', '}
        {roundName(match)}
      </span>
      <span className={styles.sign}>
        {status === 'ready' ? (
          <MatchState status={status} />
        ) : (
          streamUrl === null && <span className="muted">{words('match.not-streamed')}</span>
        )}
      </span>
    </>
  )
}

function Event({ entry }: { readonly entry: CalendarEntry }) {
  const { title, tournament, award, kind } = entry
  const name = <bdi>{kind === 'registration' || kind === 'qualifier' ? words(`home.${kind}-opens`) : title}</bdi>
  return (
    <>
      <span className="strong">
        {tournament !== null ? (
          <Link to="/t/$tournament" params={{ tournament: tournament.id }} className="plain">
            {name}
          </Link>
        ) : award !== null ? (
          <Link to="/awards/$edition" params={{ edition: award.id }} className="plain">
            {name}
          </Link>
        ) : (
          name
        )}
      </span>
      <span className={`${styles.of} muted`}>
        <bdi>{kind === 'tournament' ? words('home.begins') : (tournament?.name ?? award?.title)}</bdi>
      </span>
      <span className={styles.sign} />
    </>
  )
}
