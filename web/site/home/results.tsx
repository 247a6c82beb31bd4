import { Link } from '@tanstack/react-router'
import type { MatchCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePreferences } from '../data/preferences.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { matchLink, Score, type Side, SideName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './home.module.css'
import { hourMs, instant } from './hours.ts'

/** What was decided lately, and the newest tournaments. */
export function Results({ from }: { readonly from: number }) {
  const { spoilers } = usePreferences()
  const read = useRead(
    address(
      '/matches',
      {},
      { status: 'completed', limit: 100, from: instant(from - 14 * 24 * hourMs), to: instant(from + 2 * hourMs) },
    ),
  )
  return (
    <Section title={words('home.results')}>
      <Loaded of={read} rows={5}>
        {({ matches }) =>
          matches.length === 0 ? (
            <Empty>{words('home.no-results')}</Empty>
          ) : (
            <ul className="lines">
              {latest(matches).map((match) => {
                const [first, second] = match.sides as readonly [Side, Side]
                const isHidden = spoilers.includes(match.tournament.guid)
                const won = (side: Side) => !isHidden && side.result === 'win'
                return (
                  <li key={match.guid} className={styles.result}>
                    <span className={`${styles.left} ${won(first) ? 'strong' : 'muted'}`}>
                      <SideName side={first} />
                    </span>
                    <Link {...matchLink(match.tournament.id, match.division.id, match.number)} className="plain">
                      <Score sides={match.sides} isHidden={isHidden} />
                      <span className="unseen">{words('match.open', { number: match.number })}</span>
                    </Link>
                    <span className={won(second) ? 'strong' : 'muted'}>
                      <SideName side={second} />
                    </span>
                    <Link
                      to="/t/$tournament"
                      params={{ tournament: match.tournament.id }}
                      className="plain muted only-wide"
                    >
                      <bdi>{match.tournament.name}</bdi>
                    </Link>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

const shownResults = 8

const latest = (matches: readonly MatchCard[]) =>
  matches
    .filter(({ outcome }) => outcome !== 'bye')
    .toSorted((one, other) => (other.completedAt ?? '').localeCompare(one.completedAt ?? ''))
    .slice(0, shownResults)

export function Recent() {
  const read = useRead(address('/tournaments', {}, { limit: 6 }))
  return (
    <Section
      title={words('frame.tournaments')}
      beside={
        <Link to="/tournaments" search={{}}>
          {words('home.all')}
        </Link>
      }
    >
      <Loaded of={read} rows={4}>
        {({ tournaments }) =>
          tournaments.length === 0 ? (
            <Empty>{words('tournaments.none')}</Empty>
          ) : (
            <ul className="lines">
              {tournaments.map(({ guid, id, name, startsAt, status }) => (
                <li key={guid} className={styles.registration}>
                  <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
                    <bdi>{name}</bdi>
                  </Link>
                  <span className="muted small">
                    {words(`status.${status}`)}
                    {startsAt !== null && (
                      <>
                        , <Instant at={startsAt} as="day" />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
