import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Team, UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Eligibility } from '../../data/generated.ts'
import { signInAddress, useRead, useReader } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import type { Place } from '../../parts/phase.ts'
import { State } from '../../parts/state.tsx'
import { eligibilityAddress } from '../../team/changed.ts'
import { useOwnTeam } from '../own-teams.ts'
import styles from './overview.module.css'

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
        <Own tournament={tournament} phase={phase} reader={user} needs={needs} />
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

function Own({ tournament, phase, reader, needs }: Props & { readonly reader: UserCard }) {
  const { id } = tournament
  const verdict = useRead(eligibilityAddress(id))
  const own = useOwnTeam(tournament, reader).data
  const team = useRead(
    own == null ? null : address('/tournaments/{tournament}/teams/{team}', { tournament: id, team: own }),
    { live: true },
  )
  if (own === null && phase === 'closed')
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
          reader={reader.guid}
          verdict={found}
          team={team.data}
          needs={needs}
        />
      )}
    </Loaded>
  )
}

interface VerdictProps extends Props {
  readonly reader: string
  readonly verdict: Eligibility
  readonly team: Team | undefined
}

function Verdict({ tournament, phase, reader, verdict, team, needs }: VerdictProps) {
  const missing = missingOf(verdict, team !== undefined)
  if (team !== undefined && team.status !== 'unregistered')
    return (
      <>
        <p className="strong">
          <State shape="done" tone="run">
            {words(team.status === 'qualified' ? 'registration.qualified' : 'registration.has-place')}
          </State>
        </p>
        <p className={`btns no-print ${styles.act}`}>
          <OwnTeamLink tournament={tournament} phase={phase}>
            {words('registration.own-team')}
          </OwnTeamLink>
        </p>
      </>
    )
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
            {missing.map((message) => (
              <li key={message}>
                <span className={styles.problem}>
                  <StateIcon name="problem" />
                </span>
                <span dir="auto">{message}</span>
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
      <p className={`btns no-print ${styles.act}`}>
        {(team !== undefined || phase === 'open') && (
          <OwnTeamLink tournament={tournament} phase={phase}>
            {actOf(team, reader, verdict, tournament)}
          </OwnTeamLink>
        )}
        {team === undefined && phase !== 'soon' && <TeamsLink tournament={tournament} />}
      </p>
    </>
  )
}

/** What the reader does on the page of their team. */
function actOf(team: Team | undefined, reader: string, { eligible }: Eligibility, { teamSize }: Place): string {
  if (team === undefined) return words(teamSize.max === 1 ? 'registration.take-part' : 'registration.make-team')
  return eligible && team.captain.guid === reader
    ? words('registration.register', { team: team.name })
    : words('registration.own-team')
}

interface OwnTeamProps {
  readonly tournament: Place
  readonly phase: Props['phase']
  readonly children: string
}

/** Before registration the calendar is what a reader needs most. */
function OwnTeamLink({ tournament, phase, children }: OwnTeamProps) {
  return (
    <Link
      to="/t/$tournament/team"
      params={{ tournament: tournament.id }}
      className={phase === 'soon' ? 'btn' : 'btn btn-primary'}
    >
      {children}
    </Link>
  )
}

/** What the page says already of registration itself, or in the button for a team. */
const isSaid = (code: string) => code.startsWith('registration.') || code === 'team.none'

/** Every failed check, in the words of the service, which name the players: of the team, then of each player. */
const missingOf = ({ team, players }: Eligibility, hasTeam: boolean): readonly string[] => {
  // Questions are answered by a team.
  const isToSay = ({ code }: { readonly code: string }) => !isSaid(code) && (hasTeam || !code.startsWith('field.'))
  return [...team.failures, ...players.flatMap(({ failures }) => failures)]
    .filter(isToSay)
    .map(({ message }) => message)
}
