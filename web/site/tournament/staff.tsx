import { Link } from '@tanstack/react-router'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { useTournamentId } from '../data/tournament.ts'
import { type WordId, words } from '../data/words.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import styles from './staff.module.css'

/** Who runs the tournament, by role. */
export function Staff() {
  const tournament = useTournamentId()
  const read = useRead(address('/tournaments/{tournament}/staff', { tournament }), { live: true })
  return (
    <div className="page stack">
      <h1>{words('tournament.staff')}</h1>
      <Loaded of={read} rows={6}>
        {(groups) => (
          <>
            {groups
              .filter(({ users }) => users.length > 0)
              .map(({ role, users }) => (
                <Section key={role} title={words(`role.${role.replace('role:', '')}` as WordId)}>
                  <ul className={styles.people}>
                    {users.map((user) => (
                      <li key={user.guid}>
                        <Face name={user.preferredName ?? user.username} picture={user.avatarUrl} />
                        <Link to="/u/$user" params={{ user: user.guid }} className="plain">
                          <bdi>{user.preferredName ?? user.username}</bdi>
                        </Link>
                        {user.pronouns !== null && <span className="muted small">{user.pronouns}</span>}
                      </li>
                    ))}
                  </ul>
                </Section>
              ))}
          </>
        )}
      </Loaded>
    </div>
  )
}
