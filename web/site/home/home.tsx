import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MatchCard, Notice } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePreferences } from '../data/preferences.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Board, Boards, matchLink, roundName, type Side, SideName, sideName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { Clock, cityOf, Instant, ownZone } from '../parts/time.tsx'
import styles from './home.module.css'
import { fullHour, hourMs, instant } from './hours.ts'
import { OpenRegistrations } from './registrations.tsx'
import { Recent, Results } from './results.tsx'

/** The first page: what is live, what comes next, where to sign up, what was decided. */

export function Home() {
  const [from] = useState(fullHour)
  const notices = useRead(address('/notices', {}), { live: true })
  const live = useRead(
    address(
      '/matches',
      {},
      { status: 'running', limit: 12, from: instant(from - 24 * hourMs), to: instant(from + 24 * hourMs) },
    ),
    {
      live: true,
    },
  )
  const next = useRead(
    address(
      '/matches',
      {},
      { status: 'ready,waiting', limit: 25, from: instant(from), to: instant(from + 24 * hourMs) },
    ),
  )
  return (
    <div className={`page ${styles.page}`}>
      {notices.data?.map((notice) => (
        <NoticeBar key={notice.guid} notice={notice} />
      ))}
      <Loaded of={live} rows={4}>
        {({ matches }) => <Live matches={matches} />}
      </Loaded>
      <div className="two">
        <Section title={words('home.next')} beside={<a href="/api/calendar.ics">{words('home.subscribe')}</a>}>
          <Loaded of={next} rows={6}>
            {({ matches }) => <Upcoming matches={matches} />}
          </Loaded>
        </Section>
        <OpenRegistrations />
      </div>
      <div className="two">
        <Results from={from} />
        <Recent />
      </div>
    </div>
  )
}

function NoticeBar({ notice }: { readonly notice: Notice }) {
  const tone = { info: '', warning: 'notice-warning', critical: 'notice-alert' }[notice.level]
  return (
    <p className={`notice ${tone}`}>
      <span className="push">
        <strong dir="auto">{notice.title}</strong> <span dir="auto">{notice.content}</span>
      </span>
      {notice.link !== null && (
        <a href={notice.link} rel="nofollow noopener">
          {words('home.read-more')}
        </a>
      )}
    </p>
  )
}

const contextOf = (match: MatchCard) => `${match.tournament.name}, ${roundName(match)}`

function Live({ matches }: { readonly matches: readonly MatchCard[] }) {
  const { spoilers } = usePreferences()
  const streamed = matches.find(({ streamUrl }) => streamUrl !== null)
  return (
    <Section
      title={words('home.live')}
      level={1}
      beside={
        matches.length > 0 && (
          <>
            <span className="muted only-wide">
              {words('home.live-count', {
                count: matches.length,
                streamed: matches.filter(({ streamUrl }) => streamUrl !== null).length,
              })}
            </span>
            {streamed?.streamUrl && (
              <a className="btn btn-primary" href={streamed.streamUrl} rel="nofollow ugc noopener">
                {words('match.watch')}
              </a>
            )}
          </>
        )
      }
    >
      {matches.length === 0 ? (
        <NothingLive />
      ) : (
        <Boards>
          {matches.map((match) => (
            <Board
              key={match.guid}
              match={match}
              tournament={match.tournament.id}
              division={match.division.id}
              context={contextOf(match)}
              isHidden={spoilers.includes(match.tournament.guid)}
            />
          ))}
        </Boards>
      )}
    </Section>
  )
}

/** Nothing runs: the next match, with the time until it. */
function NothingLive() {
  const [from] = useState(fullHour)
  const { data } = useRead(
    address(
      '/matches',
      {},
      { status: 'ready,waiting', limit: 1, from: instant(from), to: instant(from + 365 * 24 * hourMs) },
    ),
  )
  const match = data?.matches.find(({ scheduledAt }) => scheduledAt !== null)
  if (match?.scheduledAt == null) return <Empty>{words('home.nothing-live')}</Empty>
  return (
    <p className={styles.first}>
      <span className="muted">{words('home.nothing-live')}</span>
      <Link {...matchLink(match.tournament.id, match.division.id, match.number)}>
        {words('home.first', { first: sideName(match.sides[0] as Side), second: sideName(match.sides[1] as Side) })}
      </Link>
      <span>
        <Instant at={match.scheduledAt} zone={match.tournament.timezone} />
        {Date.parse(match.scheduledAt) - Date.now() < 24 * hourMs && (
          <>
            , {words('match.in')} <Clock at={match.scheduledAt} />
          </>
        )}
      </span>
    </p>
  )
}

function Upcoming({ matches }: { readonly matches: readonly MatchCard[] }) {
  const shown = matches.filter(({ scheduledAt }) => scheduledAt !== null)
  if (shown.length === 0) return <Empty>{words('home.no-next')}</Empty>
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col" className="narrow">
            {cityOf(ownZone)}
          </th>
          <th scope="col">{words('match.match')}</th>
          <th scope="col" className="only-wide">
            {words('home.tournament')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((match) => (
          <tr key={match.guid}>
            <td className="narrow">{match.scheduledAt !== null && <Instant at={match.scheduledAt} as="time" />}</td>
            <th scope="row">
              <Link
                {...matchLink(match.tournament.id, match.division.id, match.number)}
                className={`plain ${styles.pairing}`}
              >
                <SideName side={match.sides[0] as Side} />
                <span className="muted">{words('home.against')}</span>
                <SideName side={match.sides[1] as Side} />
              </Link>
              <span className="only-narrow small muted">{contextOf(match)}</span>
            </th>
            <td className="only-wide">
              <Link to="/t/$tournament" params={{ tournament: match.tournament.id }} className="plain">
                <bdi>{match.tournament.name}</bdi>
              </Link>{' '}
              <span className="muted">{roundName(match)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
