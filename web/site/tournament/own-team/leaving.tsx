import { useState } from 'react'
import type { Team, TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { useChanged } from '../../team/changed.ts'
import { Delete } from '../../team/deletion.tsx'
import styles from '../../team/team.module.css'
import { Withdraw } from '../../team/withdrawal.tsx'

/** Giving the place back, withdrawing, handing the team over, leaving it, deleting it. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly team: Team
  readonly user: UserCard
  readonly isCaptain: boolean
}

export function Leaving({ tournament, team, user, isCaptain }: Props) {
  const hasPlace = team.status !== 'unregistered'
  return (
    <Section title={words('leaving.title')}>
      <ul className={`lines ${styles.leaving}`}>
        {isCaptain && hasPlace && tournament.status === 'approved' && (
          <Unregister tournament={tournament} team={team} />
        )}
        {isCaptain && hasPlace && tournament.status === 'ongoing' && <Withdraw team={team} />}
        {isCaptain && team.members.length > 1 && !team.rosterLocked && <HandOver team={team} />}
        {!isCaptain && !team.rosterLocked && <Leave team={team} user={user} />}
        {isCaptain && !hasPlace && <Delete team={team} then={(known) => known.renew('/userWithOngoingTournaments/')} />}
      </ul>
    </Section>
  )
}

function Unregister({ tournament, team }: { readonly tournament: TournamentWithParts; readonly team: Team }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const changed = useChanged(team)
  const unregister = useWrite('POST /tournaments/{tournament}/unregister/{team}', (known, { newTeam }) =>
    changed(known, newTeam),
  )
  const { registrationClosesAt, startsAt, timezone } = tournament
  const until = registrationClosesAt ?? startsAt
  return (
    <li>
      <p>
        {words('leaving.unregister-text')}{' '}
        {until !== null && (
          <span className="muted">
            {words('leaving.until')} <Instant at={until} zone={timezone} />.
          </span>
        )}
      </p>
      <Danger
        label={words('leaving.unregister')}
        title={words('leaving.unregister-title', { name: team.name })}
        error={unregister.error}
        isSending={unregister.isSending}
        act={() => unregister.send({ params })}
      >
        <p>{words('leaving.unregister-what', { members: team.members.length })}</p>
      </Danger>
    </li>
  )
}

function HandOver({ team }: { readonly team: Team }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const others = team.members.filter(({ user }) => user.guid !== team.captain.guid)
  const [captain, setCaptain] = useState(others[0]?.user.guid ?? '')
  const changed = useChanged(team)
  const handOver = useWrite('PATCH /tournaments/{tournament}/teams/{team}', changed)
  return (
    <li>
      <p>{words('leaving.hand-over-text')}</p>
      <Danger
        label={words('leaving.hand-over')}
        title={words('leaving.hand-over-title')}
        error={handOver.error}
        isSending={handOver.isSending}
        act={() => handOver.send({ params, body: { captain } })}
      >
        <label className="field">
          <span>{words('leaving.new-captain')}</span>
          <select className="in" value={captain} onChange={({ target }) => setCaptain(target.value)}>
            {others.map(({ user }) => (
              <option key={user.guid} value={user.guid}>
                {user.preferredName}
              </option>
            ))}
          </select>
        </label>
        <p>{words('leaving.hand-over-what')}</p>
      </Danger>
    </li>
  )
}

function Leave({ team, user }: { readonly team: Team; readonly user: UserCard }) {
  const params = { tournament: useTournamentId(), team: team.guid, member: user.guid }
  const leave = useWrite('DELETE /tournaments/{tournament}/teams/{team}/members/{member}', (known) => {
    known.renew('/userWithOngoingTournaments/')
    known.renew('/users/@me')
  })
  return (
    <li>
      <p>{words('leaving.leave-text')}</p>
      <Danger
        label={words('leaving.leave')}
        title={words('leaving.leave-title', { name: team.name })}
        error={leave.error}
        isSending={leave.isSending}
        act={() => leave.send({ params })}
      >
        <p>{words('leaving.leave-what')}</p>
      </Danger>
    </li>
  )
}
