import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Team } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Eligibility } from '../../data/generated.ts'
import { signInAddress, useRead, useReader } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import { CreateTeam, RegisterTeam } from './joining.tsx'
import styles from './overview.module.css'
import type { Place } from './phase.ts'

/** What a tournament is for this reader: how they take part, what is missing, or that they have their place. */

interface Props {
  readonly tournament: Place
  readonly phase: 'soon' | 'open' | 'full' | 'closed'
  /** What everybody needs, for readers who are not signed in. */
  readonly needs: ReactNode
}

export function Reader({ tournament, phase, needs }: Props) {
  const { user } = useReader()
  const isAsked = phase === 'open' || phase === 'full'
  if (user)
    return (
      <div className={styles.reader}>
        <Own tournament={tournament} phase={phase} reader={user.guid} needs={needs} />
      </div>
    )
  if (phase === 'closed')
    return (
      <p className={`btns no-print ${styles.side}`}>
        <TeamsLink tournament={tournament} isPrimary />
      </p>
    )
  return (
    <div className={styles.reader}>
      {needs}
      {/* The place is kept while it is not known yet whether the reader is signed in. */}
      {isAsked && (
        <p className={`btns no-print ${styles.act}`} hidden={user === undefined}>
          {phase === 'full' ? (
            <State shape="problem" tone="warning">
              {words('registration.full')}
            </State>
          ) : (
            <a className="btn btn-primary" href={signInAddress()}>
              {words('registration.sign-in')}
            </a>
          )}
          <TeamsLink tournament={tournament} />
        </p>
      )}
    </div>
  )
}

function TeamsLink({ tournament, isPrimary = false }: { readonly tournament: Place; readonly isPrimary?: boolean }) {
  return (
    <Link
      to="/t/$tournament/teams"
      params={{ tournament: tournament.id }}
      className={isPrimary ? 'btn btn-primary' : 'btn'}
    >
      {words('registration.see-teams')}
    </Link>
  )
}

function Own({ tournament, phase, reader, needs }: Props & { readonly reader: string }) {
  const { id } = tournament
  const verdict = useRead(address('/tournaments/{tournament}/registration-eligibility', { tournament: id }))
  const mine = useRead(address('/userWithOngoingTournaments/{user}', { user: reader }))
  const role = mine.data?.playerRoles.find(({ tournament: { guid } }) => guid === tournament.guid)
  const team = useRead(
    role === undefined
      ? null
      : address('/tournaments/{tournament}/teams/{team}', { tournament: id, team: role.team.guid }),
    { live: true },
  )
  if (mine.isSuccess && role === undefined && phase === 'closed')
    return (
      <p className="btns">
        <TeamsLink tournament={tournament} isPrimary />
      </p>
    )
  return (
    <Loaded of={verdict} rows={3}>
      {(found) => (
        <Verdict
          tournament={tournament}
          phase={phase}
          reader={reader}
          verdict={found}
          team={team.data}
          needs={needs}
          again={() => void Promise.all([verdict.refetch(), mine.refetch()])}
        />
      )}
    </Loaded>
  )
}

interface VerdictProps extends Props {
  readonly reader: string
  readonly verdict: Eligibility
  readonly team: Team | undefined
  readonly again: () => void
}

function Verdict({ tournament, phase, reader, verdict, team, needs, again }: VerdictProps) {
  const [isMaking, setMaking] = useState(false)
  const missing = missingOf(verdict, team, reader)
  if (team !== undefined && team.status !== 'unregistered')
    return (
      <>
        <p className="strong">
          <State shape="done" tone="run">
            {words(team.status === 'qualified' ? 'registration.qualified' : 'registration.has-place')}
          </State>
        </p>
        <p className={`btns no-print ${styles.act}`}>
          <OwnTeamLink tournament={tournament} team={team} isPrimary={phase !== 'soon'} />
        </p>
      </>
    )
  const isCaptain = team?.captain.guid === reader
  return (
    <>
      {team === undefined && needs}
      {missing.length === 0 ? (
        <p>
          <State shape="done">{words(team === undefined ? 'registration.you-fit' : 'registration.team-fits')}</State>
        </p>
      ) : (
        <div className={styles.needs}>
          <h3>{words('registration.missing')}</h3>
          <ul>
            {missing.map(({ who, what }) => (
              <li key={`${who} ${what}`}>
                <State shape="problem" tone="warning">
                  {words('registration.missing-sign')}
                </State>
                <span>
                  {who !== null && (
                    <>
                      <bdi className="strong">{who}</bdi>
                      {': '}
                    </>
                  )}
                  <span dir="auto">{what}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {phase === 'full' && (
        <p>
          <State shape="problem" tone="warning">
            {words('registration.full')}
          </State>
        </p>
      )}
      {isMaking && team === undefined ? (
        <CreateTeam tournament={tournament} reader={reader} done={again} />
      ) : (
        <p className={`btns no-print ${styles.act}`}>
          {team === undefined && phase === 'open' && (
            <button type="button" className="btn btn-primary" onClick={() => setMaking(true)}>
              {words(tournament.teamSize.max === 1 ? 'registration.take-part' : 'registration.make-team')}
            </button>
          )}
          {team !== undefined && verdict.eligible && isCaptain && (
            <RegisterTeam tournament={tournament} team={team} done={again} />
          )}
          {team !== undefined && (
            <OwnTeamLink tournament={tournament} team={team} isPrimary={!(verdict.eligible && isCaptain)} />
          )}
          {team === undefined && phase !== 'soon' && <TeamsLink tournament={tournament} />}
        </p>
      )}
    </>
  )
}

function OwnTeamLink({
  tournament,
  team,
  isPrimary,
}: {
  readonly tournament: Place
  readonly team: Team
  readonly isPrimary: boolean
}) {
  return (
    <Link
      to="/t/$tournament/teams/$team"
      params={{ tournament: tournament.id, team: team.id }}
      className={isPrimary ? 'btn btn-primary' : 'btn'}
    >
      <bdi>{team.name}</bdi>
    </Link>
  )
}

/** What the page says already of registration itself, or in the button for a team. */
const isSaid = (code: string) => code.startsWith('registration.') || code === 'team.none'

/** What stands in the way, in the words of the service: of the team, then of each player, the reader first. */
function missingOf({ team, players }: Eligibility, own: Team | undefined, reader: string) {
  const nameOf = (guid: string) => {
    if (guid === reader) return words('registration.you')
    const member = own?.members.find(({ user }) => user.guid === guid)
    return member?.user.preferredName ?? words('registration.member')
  }
  const ofPlayers = players
    .toSorted((one, other) => Number(other.userGuid === reader) - Number(one.userGuid === reader))
    .flatMap(({ userGuid, failures }) => failures.map(({ message }) => ({ who: nameOf(userGuid), what: message })))
  const ofTeam = team.failures.filter(({ code }) => !isSaid(code)).map(({ message }) => ({ who: null, what: message }))
  return [...ofTeam, ...ofPlayers]
}
