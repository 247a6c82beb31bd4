import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StaffGroup, TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { staffAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { Face } from '../../parts/team.tsx'
import { allRoles, type Role } from '../rights.ts'
import { withRole } from './reads.ts'
import styles from './staff.module.css'

/** Roles by people. A role is given and taken at once, and comes back if the service refuses. (W9) */

interface Props {
  readonly tournament: TournamentWithParts
  readonly groups: readonly StaffGroup[]
  /** The roles that the reader may give and take. */
  readonly roles: readonly Role[]
}

const nameOf = (role: Role) => words(`role.${role.replace('role:', '')}` as 'role.admin')

export function RoleTable({ tournament, groups, roles }: Props) {
  const organiser = groups.find(({ role }) => role === 'organiser')?.users[0]
  const people = new Map(groups.flatMap(({ users }) => users.map((user) => [user.guid, user] as const)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="wide-content" tabIndex={0} aria-label={words('staff.table')}>
      <table className={`table ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{words('staff.person')}</th>
            {allRoles.map((role) => (
              <th key={role} scope="col" className="narrow">
                {nameOf(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...people.values()].map((user) => (
            <tr key={user.guid}>
              <th scope="row">
                <span className={styles.person}>
                  <Face name={user.preferredName} picture={user.avatarUrl} />
                  <Link to="/u/$user" params={{ user: user.guid }} className="plain">
                    <bdi>{user.preferredName}</bdi>
                  </Link>
                  {user.guid === organiser?.guid && <span className="muted small">{words('role.organiser')}</span>}
                </span>
              </th>
              {allRoles.map((role) => (
                <td key={role}>
                  <RoleCell
                    tournament={tournament}
                    user={user}
                    role={role}
                    holds={groups.some(
                      (group) => group.role === role && group.users.some(({ guid }) => guid === user.guid),
                    )}
                    isMine={roles.includes(role)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellProps {
  readonly tournament: TournamentWithParts
  readonly user: UserCard
  readonly role: Role
  readonly holds: boolean
  readonly isMine: boolean
}

function RoleCell({ tournament: { guid, id }, user, role, holds, isMine }: CellProps) {
  const [wanted, setWanted] = useState(holds)
  const done = (gives: boolean) => (known: Known) =>
    known.change(staffAddress(id), (groups) => withRole(groups, user, role, gives))
  const grant = useWrite('POST /tournaments/{tournament}/permissions/{user}/grant', done(true))
  const revoke = useWrite('DELETE /tournaments/{tournament}/permissions/{user}/revoke', done(false))
  const name = words('staff.cell', { name: user.preferredName, role: nameOf(role) })
  if (!isMine)
    return holds ? (
      <>
        <StateIcon name="done" />
        <span className="unseen">{name}</span>
      </>
    ) : null
  const isSending = grant.isSending || revoke.isSending
  const error = grant.error ?? revoke.error
  const send = (gives: boolean) => {
    setWanted(gives)
    grant.reset()
    revoke.reset()
    void (gives ? grant : revoke).send({ params: { tournament: guid, user: user.guid }, body: { role } })
  }
  return (
    <>
      <input
        type="checkbox"
        className={isSending ? styles.sending : styles.tick}
        aria-label={name}
        aria-busy={isSending}
        checked={isSending ? wanted : holds}
        onChange={({ target }) => isSending || send(target.checked)}
      />
      {error && <Failure error={error} again={() => send(wanted)} isTrying={isSending} />}
    </>
  )
}
