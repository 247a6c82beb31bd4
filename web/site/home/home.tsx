import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MatchCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePreferences } from '../data/preferences.ts'
import { type Read, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Countdown } from '../parts/countdown.tsx'
import { Blocks, Empty, Loaded } from '../parts/loaded.tsx'
import { Board, Boards, matchLink, roundName, type Side, SideName } from '../parts/match.tsx'
import { NoticeBar } from '../parts/notice.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import { Coming } from './coming.tsx'
import styles from './home.module.css'
import { fullHour, hourMs, instant } from './hours.ts'
import { OpenRegistrations } from './registrations.tsx'
import { Results } from './results.tsx'
import { Updates } from './updates.tsx'

/** The first page: what is live, what comes next, where to sign up, what was decided. */

export function Home() {
  const [from] = useState(fullHour)
  const notices = useRead(address('/notices', {}, { include: 'html' }), { live: true })
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
  return (
    <div className={`page in-order ${styles.page}`}>
      {notices.data?.map((notice) => (
        <NoticeBar key={notice.guid} notice={notice} />
      ))}
      <Live read={live} />
      <div className="two">
        <Coming from={from} />
        <OpenRegistrations />
      </div>
      <div className="two">
        <Results from={from} />
        <Updates />
      </div>
    </div>
  )
}

const contextOf = (match: MatchCard) => `${match.tournament.name}, ${roundName(match)}`

function Live({ read }: { readonly read: Read<{ readonly matches: readonly MatchCard[] }> }) {
  const { spoilers } = usePreferences()
  const matches = read.data?.matches ?? []
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
      <Loaded of={read} rows={4}>
        {() =>
          matches.length === 0 ? (
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
          )
        }
      </Loaded>
    </Section>
  )
}

const yearMs = 365 * 24 * hourMs

/** Nothing runs: the next match, with the time until it. */
function NothingLive() {
  const [from] = useState(fullHour)
  const { data, isPending } = useRead(
    address('/matches', {}, { status: 'ready,waiting', limit: 12, from: instant(from), to: instant(from + yearMs) }),
    { live: true },
  )
  if (isPending) return <Blocks rows={3} />
  // What should have begun already is late, for an unknown time.
  const match = data?.matches.find(({ scheduledAt }) => scheduledAt !== null && Date.parse(scheduledAt) > Date.now())
  if (match?.scheduledAt == null) return <Empty>{words('home.nothing-live')}</Empty>
  const { tournament, division, number, scheduledAt } = match
  return (
    <div className={styles.first}>
      <div>
        <p className="muted">{words('home.nothing-live')}</p>
        <p className={styles.lead}>
          <SideName side={match.sides[0] as Side} /> <span className="muted">{words('home.against')}</span>{' '}
          <SideName side={match.sides[1] as Side} />
        </p>
        <p className="muted">
          <bdi>{contextOf(match)}</bdi>, <Instant at={scheduledAt} zone={tournament.timezone} />
        </p>
      </div>
      <div className={styles.aside}>
        <Countdown at={scheduledAt} />
        <Link {...matchLink(tournament.id, division.id, number)} className="btn btn-primary">
          {words('match.open-one', { number })}
        </Link>
      </div>
    </div>
  )
}
