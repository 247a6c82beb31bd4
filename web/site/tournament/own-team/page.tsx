import { Link } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import type { Team, TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { After, Loaded } from '../../parts/loaded.tsx'
import { SignedIn } from '../../parts/signed-in.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import { Answers, answersForm } from '../../team/answers.tsx'
import { eligibilityAddress } from '../../team/changed.ts'
import { Roster } from '../../team/roster.tsx'
import styles from '../../team/team.module.css'
import { useOwnTeam } from '../own-teams.ts'
import { Founding } from './founding.tsx'
import { Leaving } from './leaving.tsx'
import { Missing } from './missing.tsx'
import { Naming } from './naming.tsx'

/** The reader's team in a tournament: what is missing for its place, who plays, and what it answers. */
export function OwnTeam() {
  return <SignedIn title={words('own-team.title')}>{(user) => <OfReader user={user} />}</SignedIn>
}

function OfReader({ user }: { readonly user: UserCard }) {
  const tournament = useTournament()
  const own = useOwnTeam(tournament.data, user)
  const heading = useChangedHeading(own.data)
  return (
    <div className="page stack">
      <Loaded of={tournament} rows={8} title={words('own-team.title')}>
        {(whole) => (
          <Loaded of={own} rows={8} title={words('own-team.title')}>
            {(team) =>
              team === null ? (
                <Founding tournament={whole} user={user} heading={heading} />
              ) : (
                <OfTeam tournament={whole} team={team} user={user} heading={heading} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </div>
  )
}

/** Gives the focus to the heading of what comes after the reader has joined a team, made one, or left it. */
function useChangedHeading(team: string | null | undefined): React.Ref<HTMLHeadingElement> {
  const shown = useRef<string | null>(undefined)
  return useCallback(
    (heading: HTMLHeadingElement | null) => {
      if (heading === null) return
      if (shown.current !== undefined && shown.current !== team) heading.focus()
      shown.current = team
    },
    [team],
  )
}

interface Props {
  readonly tournament: TournamentWithParts
  readonly team: string
  readonly user: UserCard
  readonly heading: React.Ref<HTMLHeadingElement>
}

function OfTeam({ tournament, team: guid, user, heading }: Props) {
  const at = { tournament: useTournamentId(), team: guid }
  const read = useRead(address('/tournaments/{tournament}/teams/{team}', at), { live: true })
  const eligibility = useRead(eligibilityAddress(at.tournament))
  useRenewal(eligibilityAddress(at.tournament), read.data?.updatedAt)
  return (
    <Loaded of={read} rows={8}>
      {(team) => {
        const isCaptain = team.captain.guid === user.guid
        const isOpen = team.status === 'unregistered' && team.withdrawnAt === null
        return (
          <>
            <Head
              team={team}
              tournament={tournament}
              isCaptain={isCaptain}
              canRegister={isCaptain && isOpen}
              heading={heading}
            />
            <After of={isOpen ? [eligibility] : []} rows={8}>
              {isOpen && <Missing tournament={tournament} team={team} user={user} read={eligibility} />}
              <div className={styles.beside}>
                <Roster
                  tournament={tournament}
                  team={team}
                  mayRead={isCaptain}
                  mayChange={isCaptain && !team.rosterLocked}
                />
                <Answers tournament={tournament} team={team} isOpen={isCaptain && isOpen} />
              </div>
              {isCaptain && !team.rosterLocked && <Naming team={team} />}
              <Leaving tournament={tournament} team={team} user={user} isCaptain={isCaptain} />
            </After>
          </>
        )
      }}
    </Loaded>
  )
}

function Head({
  team,
  tournament,
  isCaptain,
  canRegister,
  heading,
}: {
  readonly team: Team
  readonly tournament: TournamentWithParts
  readonly isCaptain: boolean
  readonly canRegister: boolean
  readonly heading: React.Ref<HTMLHeadingElement>
}) {
  const { registrationClosesAt, timezone } = tournament
  return (
    <div className="title">
      <div>
        <h1 data-title={team.name} ref={heading} tabIndex={-1}>
          <TeamName team={team} />
        </h1>
        <p>
          {team.withdrawnAt === null ? words(`own-team.is-${team.status}`) : words('own-team.is-withdrawn')}{' '}
          {team.status === 'unregistered' && registrationClosesAt !== null && (
            <>
              {words('own-team.closes')} <Instant at={registrationClosesAt} zone={timezone} />.
            </>
          )}
          {team.status !== 'unregistered' && team.withdrawnAt === null && (
            <>
              {words('own-team.next')} <Link to="/me">{words('own-team.agenda')}</Link>.
            </>
          )}{' '}
          {!isCaptain && (
            <span className="muted">
              {words('own-team.captain-is')} <bdi>{team.captain.preferredName}</bdi>.
            </span>
          )}
        </p>
      </div>
      <div className="btns">
        <Link
          to="/t/$tournament/teams/$team"
          params={{ tournament: tournament.id, team: team.id }}
          className="btn btn-quiet"
        >
          {words('own-team.public')}
        </Link>
        {canRegister && (
          <button type="submit" form={answersForm} className="btn btn-primary">
            {words('own-team.register')}
          </button>
        )}
      </div>
    </div>
  )
}
