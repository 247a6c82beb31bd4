import { Link } from '@tanstack/react-router'
import type { MatchCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePreferences } from '../data/preferences.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { matchLink, Score, type Side, SideName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { dayOf, Instant } from '../parts/time.tsx'
import styles from './home.module.css'
import { hourMs, instant } from './hours.ts'

/** What was decided lately, the last one at the top. */
export function Results({ from }: { readonly from: number }) {
  const { spoilers } = usePreferences()
  const read = useRead(
    address(
      '/matches',
      {},
      { status: 'completed', order: 'newest', limit: 25, from: instant(from - 14 * 24 * hourMs) },
    ),
    { live: true },
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
                    <span className="muted only-wide">
                      <Link to="/t/$tournament" params={{ tournament: match.tournament.id }} className="plain">
                        <bdi>{match.tournament.name}</bdi>
                      </Link>
                      {match.completedAt !== null && (
                        <>
                          , <Instant at={match.completedAt} as={isToday(match.completedAt) ? 'time' : 'day'} />
                        </>
                      )}
                    </span>
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
const isToday = (at: string) => dayOf(at) === dayOf(new Date().toISOString())

/** Those listed last by the time for which they were planned, in the order in which they ended. */
const latest = (matches: readonly MatchCard[]) =>
  matches
    .filter(({ outcome }) => outcome !== 'bye')
    .toSorted((one, other) => (other.completedAt ?? '').localeCompare(one.completedAt ?? ''))
    .slice(0, shownResults)
