import { Link } from '@tanstack/react-router'
import type { Team } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Face } from '../../parts/team.tsx'
import styles from './match.module.css'
import { type Index, indexes, ownName } from './people.ts'
import { nameAt, sideAt, type View } from './view.ts'

/** Who plays for each side, and who waits. */
export function Lineups({ view }: { readonly view: View }) {
  return (
    <Section title={words('play.lineups')}>
      <div className={styles.lineups}>
        {indexes.map((at) => (
          <Lineup key={at} view={view} at={at} />
        ))}
      </div>
    </Section>
  )
}

function Lineup({ view, at }: { readonly view: View; readonly at: Index }) {
  const team = view.people.teams[at]
  const named = view.session?.seats[at]?.lineup?.filter((user) => user !== null) ?? []
  const { error, again, isLoading } = view.people
  const { from, team: known } = sideAt(view, at)
  return (
    <div className={`${styles.lineup} ${at === 0 ? styles.one : styles.other}`}>
      <h3>
        <bdi>{nameAt(view, at)}</bdi>
      </h3>
      {team === undefined && known !== null && error !== null ? (
        <Failure error={error} again={again} isTrying={isLoading} />
      ) : team === undefined ? (
        <p className="muted">
          {from === null ? words('play.nobody-yet') : words('play.known-after', { number: from.number })}
        </p>
      ) : (
        <ul>
          {orderOf(team, named).map(({ user, plays }) => (
            <li key={user.guid}>
              <Face name={ownName(user)} picture={user.avatarUrl} />
              <Link to="/u/$user" params={{ user: user.guid }} className="plain">
                <bdi>{ownName(user)}</bdi>
              </Link>
              {!plays && <span className="muted">{words('play.substitute')}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Who plays first, in the order of the line-up. */
function orderOf({ members }: Team, named: readonly string[]) {
  // A team that has withdrawn fields no player.
  const isFielded = members.some(({ isActive }) => isActive)
  const placed = members.map(({ user, isActive }) => ({
    user,
    plays: named.length === 0 ? isActive || !isFielded : named.includes(user.guid),
    place: named.indexOf(user.guid),
  }))
  return placed.toSorted((one, other) => Number(other.plays) - Number(one.plays) || one.place - other.place)
}
