import { Link } from '@tanstack/react-router'
import type { Match, UserCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { matchLink, roundName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import styles from './match.module.css'

interface AroundProps {
  readonly match: Match
  readonly tournament: string
  readonly division: string
}

/** Where the sides come from, and where winner and loser go. */
export function Around({ match, tournament, division }: AroundProps) {
  const feeders = match.sides.flatMap(({ from }) => (from === null ? [] : [from]))
  const followers = [
    ['match.winner-goes', match.nextMatchGuid],
    ['match.loser-goes', match.loserMatchGuid],
  ] as const
  return (
    <Section title={words('match.around')}>
      <dl className="facts">
        {feeders.map(({ number, outcome, matchGuid }) => (
          <div key={`${matchGuid}${outcome}`} className={styles.fact}>
            <dt>{words('match.before')}</dt>
            <dd>
              <Link {...matchLink(tournament, division, number)}>
                {words(outcome === 'winner' ? 'match.winner-of' : 'match.loser-of', { number })}
              </Link>
            </dd>
          </div>
        ))}
        {followers.map(([word, guid]) =>
          guid === null ? null : (
            <div key={word} className={styles.fact}>
              <dt>{words(word)}</dt>
              <dd>
                <NextMatch tournament={tournament} division={division} guid={guid} />
              </dd>
            </div>
          ),
        )}
        {match.pool !== null && (
          <div className={styles.fact}>
            <dt>{words('match.pool')}</dt>
            <dd>
              <bdi>{match.pool.name}</bdi>
            </dd>
          </div>
        )}
      </dl>
      <p className={styles.bracket}>
        <Link to="/t/$tournament/bracket/$division/$bracket" params={{ tournament, division, bracket: match.bracket }}>
          {words('match.in-bracket')}
        </Link>
      </p>
    </Section>
  )
}

function NextMatch({
  tournament,
  division,
  guid,
}: {
  readonly tournament: string
  readonly division: string
  readonly guid: string
}) {
  const { data } = useRead(
    address('/tournaments/{tournament}/matches/{match}', { tournament, match: guid }, { delayed: true }),
  )
  if (data === undefined) return <>…</>
  return (
    <Link {...matchLink(tournament, division, data.number)}>
      {words('match.context', { number: data.number, round: roundName(data) })}
    </Link>
  )
}

/** Who works at the match. */
export function Officials({ match }: { readonly match: Match }) {
  if (match.officials.length === 0) return null
  const named = (user: UserCard) => user.preferredName ?? user.username
  return (
    <Section title={words('match.officials')}>
      <ul className="lines">
        {match.officials.map(({ user, role }) => (
          <li key={`${user.guid}${role}`} className={styles.official}>
            <Link to="/u/$user" params={{ user: user.guid }} className="plain">
              <bdi>{named(user)}</bdi>
            </Link>
            <span className="muted">{words(`role.${role.replace('role:', '')}` as WordId)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
