import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import type { UserWithTournaments } from '../data/generated.ts'
import { useRead, useReader } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { type Answered, AnsweredInvitation, Invitation } from '../parts/invitation.tsx'
import { After, Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Span } from '../parts/time.tsx'
import { ownAddress } from './email.tsx'
import styles from './teams.module.css'

const playedAddress = (user: UserCard) =>
  address('/userWithOngoingTournaments/{user}', { user: user.guid }, { unlisted: true })

/** The reader's teams and invitations, and the tournaments that they organise. */
export function Teams() {
  const { user } = useReader()
  const invitations = useRead(address('/users/@me/invitations', {}), { live: true })
  const played = useRead(user ? playedAddress(user) : null)
  const [answered, tell] = useState<Answered | null>(null)
  return (
    <div className="page stack">
      <h1>{words('me.teams')}</h1>
      {answered !== null && <AnsweredInvitation of={answered} />}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <Section title={words('own-teams.invitations')}>
          <ul className="lines">
            {invitations.data.map((invitation) => (
              <li key={invitation.guid}>
                <Invitation invitation={invitation} tell={tell} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <After of={[invitations]} rows={6}>
        {user && <Played user={user} />}
      </After>
      <After of={[invitations, played]}>{user && <Organised />}</After>
    </div>
  )
}

const isOver = ({ status }: UserWithTournaments['playerRoles'][number]['tournament']) =>
  status === 'completed' || status === 'cancelled'

function Played({ user }: { readonly user: UserCard }) {
  const read = useRead(playedAddress(user))
  return (
    <Loaded of={read} rows={4}>
      {({ playerRoles }) => {
        const over = playerRoles.filter(({ tournament }) => isOver(tournament))
        const open = playerRoles.filter(({ tournament }) => !isOver(tournament))
        return (
          <>
            <Section title={words('own-teams.now')}>
              {open.length === 0 ? <NoTeam /> : <List roles={open} isOver={false} />}
            </Section>
            {over.length > 0 && (
              <Section title={words('own-teams.before')}>
                <List roles={over} isOver />
              </Section>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

const NoTeam = () => (
  <>
    <Empty>{words('own-teams.none')}</Empty>
    <p className="btns">
      <Link to="/me" className="btn">
        {words('me.agenda')}
      </Link>
      <Link to="/tournaments" search={{ registration: 'open' }} className="btn">
        {words('steps.find-do')}
      </Link>
    </p>
  </>
)

function List({ roles, isOver }: { readonly roles: UserWithTournaments['playerRoles']; readonly isOver: boolean }) {
  return (
    <ul className="lines">
      {roles.map(({ team, tournament }) => (
        <li key={team.guid} className={styles.line}>
          {isOver ? (
            <Link to="/t/$tournament/teams/$team" params={{ tournament: tournament.id, team: team.id }}>
              <bdi>{team.name}</bdi>
            </Link>
          ) : (
            <Link to="/t/$tournament/team" params={{ tournament: tournament.id }}>
              <bdi>{team.name}</bdi>
            </Link>
          )}
          <Link to="/t/$tournament" params={{ tournament: tournament.id }} className="plain">
            <bdi>{tournament.name}</bdi>
          </Link>
          <span className="muted">{words(`teams.state-${team.status}`)}</span>
          <span className="muted">
            <Span from={tournament.startsAt} to={tournament.endsAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Those that the reader organises or helps with, drafts included, by what they may do there. */
function Organised() {
  const read = useRead(ownAddress)
  return (
    <Section
      title={words('own-teams.organised')}
      beside={
        <Link to="/new" className="btn">
          {words('new.title')}
        </Link>
      }
    >
      <Loaded of={read} rows={2}>
        {({ permissions }) => {
          const run = permissions.flatMap(({ role, tournament }) => (tournament === null ? [] : [{ role, tournament }]))
          const all = new Map(run.map(({ tournament }) => [tournament.guid, tournament]))
          if (all.size === 0) return <Empty>{words('own-teams.organised-none')}</Empty>
          return (
            <ul className="lines">
              {[...all.values()].map(({ guid, id, name }) => (
                <li key={guid} className={styles.line}>
                  <Link to="/t/$tournament" params={{ tournament: id }}>
                    <bdi>{name}</bdi>
                  </Link>
                  <Link to="/manage/$tournament" params={{ tournament: id }}>
                    {words('tournament.manage')}
                    <span className="unseen"> {name}</span>
                  </Link>
                  <span className="muted">
                    {run
                      .filter(({ tournament }) => tournament.guid === guid)
                      .map(({ role }) => words(`role-one.${role.replace('role:', '')}` as WordId))
                      .join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}
