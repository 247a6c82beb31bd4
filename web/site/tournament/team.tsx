import { Link, useParams } from '@tanstack/react-router'
import type { Match, Team as TeamOf, TournamentWithParts } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { prefer, usePreferences } from '../data/preferences.ts'
import { useRead } from '../data/queries.ts'
import { divisionIds, useDivisions, useShownRead, useTournament, useTournamentId } from '../data/tournament.ts'
import { type WordId, words } from '../data/words.ts'
import { Countdown } from '../parts/countdown.tsx'
import { countryOf } from '../parts/country.ts'
import { Blocks, Empty, Loaded } from '../parts/loaded.tsx'
import { matchLink, type Side, sideName } from '../parts/match.tsx'
import { useRoundNames } from '../parts/rounds.ts'
import { Section } from '../parts/section.tsx'
import { useSpoilers } from '../parts/spoilers.tsx'
import { Spoken } from '../parts/spoken.tsx'
import { MatchState } from '../parts/state.tsx'
import { Face, TeamLink } from '../parts/team.tsx'
import { Instant, ownZone, useNow } from '../parts/time.tsx'
import { inOrder } from './match-list.ts'
import { PlanTable } from './plan-table.tsx'
import styles from './team.module.css'

/** A team: its next opponent, its way so far, and who plays for it. */
export function Team() {
  const tournament = useTournamentId()
  const { team } = useParams({ from: '/t/$tournament/teams/$team' })
  const read = useRead(address('/tournaments/{tournament}/teams/{team}', { tournament, team }), { live: true })
  const whole = useTournament().data
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack in-order">
      <Loaded of={read} rows={10} hasTitle>
        {(found) => <Shown team={found} tournament={tournament} whole={whole} />}
      </Loaded>
    </div>
  )
}

interface Props {
  readonly team: TeamOf
  readonly tournament: string
  readonly whole: TournamentWithParts | undefined
}

function Shown({ team, tournament, whole }: Props) {
  const isHidden = useSpoilers(whole?.guid)
  const ids = divisionIds(useDivisions().data)
  const read = useShownRead(
    address('/tournaments/{tournament}/matches', { tournament }, { team: team.guid, limit: 100, delayed: true }),
    { live: true },
  )
  const matches = read.data && inOrder(read.data.matches)
  const next = matches?.find(({ status }) => status === 'running') ?? matches?.find(isAhead)
  return (
    <>
      <Head team={team} tournament={tournament} whole={whole} />
      {read.isPending && <Blocks rows={2} />}
      {next !== undefined && (
        <Next
          match={next}
          team={team}
          tournament={tournament}
          division={ids.get(next.division) ?? next.division}
          zone={whole?.timezone}
        />
      )}
      <div className="two">
        <Section
          title={words('tournament.matches')}
          beside={!isHidden && matches && <Record matches={matches} team={team} />}
        >
          <Loaded of={{ ...read, data: matches }} rows={5}>
            {(found) =>
              found.length === 0 ? (
                <Empty>{words('teams.no-matches')}</Empty>
              ) : (
                <PlanTable
                  caption={words('tournament.matches')}
                  matches={found}
                  tournament={tournament}
                  divisions={ids}
                  zone={whole?.timezone ?? ownZone}
                  isHidden={isHidden}
                  hasDay
                  isShort
                />
              )
            }
          </Loaded>
        </Section>
        <Roster team={team} />
      </div>
    </>
  )
}

const isAhead = ({ status }: Match) => status === 'ready' || status === 'waiting'

function Head({ team, tournament, whole }: Props) {
  const { following } = usePreferences()
  const divisions = useDivisions().data
  const follows = whole !== undefined && following[whole.guid] === team.guid
  const bracket = divisions?.flatMap((division) =>
    division.brackets
      .filter(({ entrants }) => entrants.some((entrant) => entrant.team?.guid === team.guid))
      .map(({ guid }) => ({ division: division.id, bracket: guid })),
  )[0]
  return (
    <div className="title">
      <div className={styles.head}>
        <Face name={team.name} picture={team.imageUrl} isTeam />
        <div>
          <h1>
            <bdi>{team.name}</bdi>
          </h1>
          {team.pronunciation !== null && (
            <p>
              <Spoken of={team.pronunciation} />
            </p>
          )}
          <p>
            {words(`teams.state-${team.status}` as WordId)}
            {team.seed !== null && <>, {words('teams.seed-is', { seed: team.seed })}</>}
            <Ranked team={team} tournament={tournament} whole={whole} />
            {team.withdrawnAt !== null && (
              <>
                , {words('teams.withdrawn')} <Instant at={team.withdrawnAt} as="day" />
              </>
            )}
          </p>
        </div>
      </div>
      <div className="btns no-print">
        {bracket !== undefined && (
          <Link
            to="/t/$tournament/bracket/$division/$bracket"
            params={{ tournament, ...bracket }}
            search={{ view: 'team', team: team.id }}
            className="btn"
          >
            {words('teams.path')}
          </Link>
        )}
        {whole !== undefined && (
          <button
            type="button"
            className="btn"
            aria-pressed={follows}
            onClick={() => {
              const { [whole.guid]: _, ...others } = following
              prefer({ following: follows ? others : { ...others, [whole.guid]: team.guid } })
            }}
          >
            {words(follows ? 'teams.unfollow' : 'teams.follow')}
          </button>
        )}
      </div>
    </div>
  )
}

/** The place in the qualifier. Only a tournament whose teams are qualified is asked for it, since many have none. */
function Ranked({ team, tournament, whole }: Props) {
  const hasQualified = (whole?.counts.qualified ?? 0) > 0
  const standings = useRead(
    hasQualified ? address('/tournaments/{tournament}/qualifier/standings', { tournament }) : null,
  ).data
  const rank = standings?.overallTeamStandings.find((each) => each.team.guid === team.guid)?.rank
  if (rank == null) return null
  return (
    <>
      ,{' '}
      <Link to="/t/$tournament/qualifier" params={{ tournament }}>
        {words('teams.rank-is', { rank })}
      </Link>
    </>
  )
}

interface NextProps {
  readonly match: Match
  readonly team: TeamOf
  readonly tournament: string
  readonly division: string
  readonly zone: string | undefined
}

const soonMs = 24 * 3_600_000

/** The match that the team plays now or next. */
function Next({ match, team, tournament, division, zone }: NextProps) {
  const roundOf = useRoundNames()
  const { number, status, scheduledAt, bestOf } = match
  const time = useNow(60_000)
  const other = match.sides.find((side) => side.team?.guid !== team.guid) as Side
  const isNow = status === 'running'
  const left = scheduledAt === null ? null : Date.parse(scheduledAt) - time
  return (
    <section className={styles.next} aria-label={words(isNow ? 'teams.now' : 'teams.next')}>
      <div>
        <h2>{words(isNow ? 'teams.now' : 'teams.next')}</h2>
        <p className={styles.lead}>
          {other.team === null ? sideName(other) : <TeamLink team={other.team} tournament={tournament} isStrong />}
        </p>
        <p className="muted">
          {words('match.context', { number, round: roundOf(match) })}, {words('match.best-of', { games: bestOf })}
          {scheduledAt !== null && (
            <>
              , <Instant at={scheduledAt} zone={zone} />
            </>
          )}
        </p>
      </div>
      <div className={styles.aside}>
        {isNow ? (
          <MatchState status={status} />
        ) : (
          scheduledAt !== null && left !== null && left > 0 && left < soonMs && <Countdown at={scheduledAt} />
        )}
        <Link {...matchLink(tournament, division, number)} className="btn btn-primary no-print">
          {words('match.open-one', { number })}
        </Link>
      </div>
    </section>
  )
}

/** How many matches and games a team has won and lost. */
function Record({ matches, team }: { readonly matches: readonly Match[]; readonly team: TeamOf }) {
  const played = matches.filter(({ status, outcome }) => status === 'completed' && outcome !== 'bye')
  if (played.length === 0) return null
  const own = played.map(({ sides }) => sides.find((side) => side.team?.guid === team.guid))
  const others = played.map(({ sides }) => sides.find((side) => side.team?.guid !== team.guid))
  const games = (sides: readonly (Side | undefined)[]) => sides.reduce((sum, side) => sum + (side?.score ?? 0), 0)
  const won = own.filter((side) => side?.result === 'win').length
  return (
    <span className="muted">
      {words('teams.record', { won, lost: others.filter((side) => side?.result === 'win').length })}{' '}
      {words('teams.games', { won: games(own), lost: games(others) })}
    </span>
  )
}

function Roster({ team }: { readonly team: TeamOf }) {
  return (
    <Section
      title={words('teams.roster')}
      beside={team.rosterLocked && <span className="muted">{words('teams.locked')}</span>}
    >
      <ul className={`lines ${styles.roster}`}>
        {team.members.map(({ user, isActive }) => (
          <li key={user.guid}>
            <Face name={user.preferredName} picture={user.avatarUrl} />
            <Link to="/u/$user" params={{ user: user.guid }} className={`plain ${isActive ? 'strong' : ''}`}>
              <bdi>{user.preferredName}</bdi>
            </Link>
            <span className="muted small">
              {[
                ...(user.country === null ? [] : [countryOf(user.country)]),
                ...(user.guid === team.captain.guid ? [words('teams.captain')] : []),
                ...(isActive ? [] : [words('teams.substitute')]),
              ].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
