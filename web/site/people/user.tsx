import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './user.module.css'

/** A person: who they are, where they play, what they were honoured with. */
export function User() {
  const { user } = useParams({ from: '/u/$user' })
  const read = useRead(address('/users/{user}/card', { user }))
  const tournaments = useRead(address('/tournaments', {}, { participant: user, limit: 25 }))
  const organised = useRead(address('/tournaments', {}, { organiser: user, limit: 25 }))
  const badges = useRead(address('/users/{user}/badges', { user }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={3}>
        {(card) => (
          <header className={styles.head}>
            <Face name={card.preferredName ?? card.username} picture={card.avatarUrl} />
            <div>
              <h1>
                <bdi>{card.preferredName ?? card.username}</bdi>
              </h1>
              <p className="muted">
                {[card.pronouns, card.country].filter(Boolean).join(', ')} {words('user.joined')}{' '}
                <Instant at={card.joinedAt} as="day" />
              </p>
              {card.bio !== null && (
                <p className="prose" dir="auto">
                  {card.bio}
                </p>
              )}
            </div>
          </header>
        )}
      </Loaded>
      <div className="two">
        <Section title={words('user.plays')}>
          <Loaded of={tournaments} rows={4}>
            {({ tournaments: found }) =>
              found.length === 0 ? (
                <Empty>{words('user.plays-none')}</Empty>
              ) : (
                <ul className="lines">
                  {found.map(({ guid, id, name, status }) => (
                    <li key={guid} className={styles.line}>
                      <Link to="/t/$tournament" params={{ tournament: id }} className="plain">
                        <bdi>{name}</bdi>
                      </Link>
                      <span className="muted">{words(`status.${status}`)}</span>
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Section>
        <div className="stack">
          {(organised.data?.tournaments.length ?? 0) > 0 && (
            <Section title={words('user.organises')}>
              <ul className="lines">
                {organised.data?.tournaments.map(({ guid, id, name }) => (
                  <li key={guid} className={styles.line}>
                    <Link to="/t/$tournament" params={{ tournament: id }} className="plain">
                      <bdi>{name}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {(badges.data?.badges.length ?? 0) > 0 && (
            <Section title={words('user.badges')}>
              <ul className="lines">
                {badges.data?.badges.map((badge) => (
                  <li key={badge.guid} className={styles.line}>
                    <Link to="/badges/$badge" params={{ badge: badge.guid }} className="plain">
                      <bdi>{badge.name}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </div>
    </div>
  )
}
