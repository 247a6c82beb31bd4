import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { RegistrationState, TournamentWithParts, UserCard } from '../../../../../client/generated.ts'
import { useRead } from '../../../data/queries.ts'
import { useTournament, useTournamentId } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { Empty, Loaded } from '../../../parts/loaded.tsx'
import { Rest } from '../../../parts/more.tsx'
import { TeamName } from '../../../parts/team.tsx'
import { Instant } from '../../../parts/time.tsx'
import { Answers } from '../../../team/answers.tsx'
import { teamAddress } from '../../../team/changed.ts'
import { Roster } from '../../../team/roster.tsx'
import shared from '../../../team/team.module.css'
import { BulkActs } from '../acts.tsx'
import { type Entry, useDesk } from '../desk.ts'
import { PlaceState } from '../table.tsx'
import { Ending } from './ending.tsx'
import { LookForm } from './look-form.tsx'
import { MakeCaptain, MoveDialog } from './member-acts.tsx'
import { Needed } from './needed.tsx'

/** A team for the organiser: everything that its captain can do, whatever is locked, and what is for organisers alone. */

const route = getRouteApi('/manage/$tournament/teams/$team')

export function ManageTeam() {
  const { team } = route.useParams()
  const desk = useDesk()
  const tournament = useTournament()
  const id = useTournamentId()
  const isWhole = !desk.hasNextPage
  return (
    <div className="page wide stack">
      <Loaded
        of={{ ...desk, data: desk.data && tournament.data && { ...desk.data, tournament: tournament.data } }}
        rows={12}
        title={words('manage.team')}
      >
        {({ teams, registration, tournament: whole }) => {
          const entry = teams.find((each) => each.team.id === team || each.team.guid === team)
          if (entry !== undefined)
            return <OfTeam entry={entry} teams={teams} tournament={whole} registration={registration} />
          return (
            <>
              <h1>{words('manage.team')}</h1>
              <Empty>
                {words(isWhole ? 'manage-team.none' : 'state.loading')}{' '}
                <Link to="/manage/$tournament/registration" params={{ tournament: id }}>
                  {words('manage-team.to-desk')}
                </Link>
              </Empty>
            </>
          )
        }}
      </Loaded>
      <Rest of={desk.rest} />
    </div>
  )
}

interface Props {
  readonly entry: Entry
  readonly teams: readonly Entry[]
  readonly tournament: TournamentWithParts
  readonly registration: RegistrationState
}

function OfTeam({ entry, teams, tournament, registration }: Props) {
  const at = useTournamentId()
  const read = useRead(teamAddress(at, entry.team.guid), { live: true })
  const [moving, setMoving] = useState<UserCard | null>(null)
  // No team can be joined before the tournament is public, and after its end.
  const canMove = tournament.status === 'approved' || tournament.status === 'ongoing'
  return (
    <>
      <div className="title">
        <div>
          <p>
            <Link to="/manage/$tournament/registration" params={{ tournament: at }} search={{ team: entry.team.id }}>
              {words('manage.registration')}
            </Link>
          </p>
          <h1 data-title={entry.team.name} tabIndex={-1}>
            <TeamName team={entry.team} />
          </h1>
          <p>
            <PlaceState entry={entry} /> {words('desk.since')} <Instant at={entry.since} zone={tournament.timezone} />
          </p>
        </div>
        <div className="btns">
          <Link
            to="/t/$tournament/teams/$team"
            params={{ tournament: tournament.id, team: entry.team.id }}
            className="btn btn-quiet"
          >
            {words('own-team.public')}
          </Link>
          <BulkActs teams={[entry]} registration={registration} />
        </div>
      </div>
      <Loaded of={read} rows={8}>
        {(team) => (
          <>
            <Needed entry={entry} registration={registration} />
            <Roster
              tournament={tournament}
              team={team}
              mayRead
              mayChange
              more={(member) => (
                <>
                  {member.guid !== team.captain.guid && <MakeCaptain team={team} member={member} />}
                  {canMove && member.guid !== team.captain.guid && !member.isPlaceholder && (
                    <button type="button" className="btn btn-quiet" onClick={() => setMoving(member)}>
                      {words('manage-team.move')}…<span className="unseen"> {member.preferredName}</span>
                    </button>
                  )}
                </>
              )}
            />
            <div className={shared.beside}>
              <LookForm team={team} tournament={tournament} />
              <Answers
                tournament={tournament}
                team={team}
                isOpen={team.status === 'unregistered' && team.withdrawnAt === null}
                isOrganiser
              />
            </div>
            <Ending team={team} tournament={tournament} />
            {moving !== null && (
              <MoveDialog
                team={team}
                member={moving}
                teams={teams}
                size={tournament.teamSize.max}
                close={() => setMoving(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
