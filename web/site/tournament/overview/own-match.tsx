import { Link } from '@tanstack/react-router'
import type { Match, MatchCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { usePreferences } from '../../data/preferences.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { divisionIds, useDivisions, useShownRead } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Countdown } from '../../parts/countdown.tsx'
import { matchLink, type Side, sideName } from '../../parts/match.tsx'
import type { Place } from '../../parts/phase.ts'
import { useRoundNames } from '../../parts/rounds.ts'
import { MatchState } from '../../parts/state.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Instant, useNow } from '../../parts/time.tsx'
import styles from './overview.module.css'

/** The next match of the reader's own team or, without one, of the team that they follow. */

interface Props {
  readonly tournament: Place
}

export function OwnMatch({ tournament }: Props) {
  const { user } = useReader()
  const agenda = useRead(user ? address('/users/@me/agenda', {}) : null, { live: true }).data
  const own = agenda?.matches
    .filter(({ match }) => match.tournament.guid === tournament.guid)
    .toSorted((one, other) => rankOf(one.match) - rankOf(other.match))[0]
  if (user === undefined || (user && agenda === undefined)) return null
  if (own !== undefined)
    return (
      <Shown tournament={tournament} match={own.match} team={own.teamGuid} division={own.match.division.id} isOwn />
    )
  return <Followed tournament={tournament} />
}

/** Running ones first, then by their time. */
const rankOf = ({ status, scheduledAt }: Pick<Match, 'status' | 'scheduledAt'>) =>
  status === 'running' ? 0 : scheduledAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(scheduledAt)

function Followed({ tournament }: Props) {
  const { following } = usePreferences()
  const team = following[tournament.guid]
  const divisions = divisionIds(useDivisions().data)
  const read = useShownRead(
    team === undefined
      ? null
      : address(
          '/tournaments/{tournament}/matches',
          { tournament: tournament.id },
          { team, status: 'running,ready,waiting', limit: 25, delayed: true },
        ),
    { live: true },
  )
  const match = read.data?.matches.toSorted((one, other) => rankOf(one) - rankOf(other))[0]
  if (team === undefined || match === undefined) return null
  return (
    <Shown
      tournament={tournament}
      match={match}
      team={team}
      division={divisions.get(match.division) ?? match.division}
      isOwn={false}
    />
  )
}

interface ShownProps extends Props {
  readonly match: Match | MatchCard
  readonly team: string
  readonly division: string
  readonly isOwn: boolean
}

const soonMs = 24 * 3_600_000

function Shown({ tournament, match, team, division, isOwn }: ShownProps) {
  const roundOf = useRoundNames()
  const time = useNow(60_000)
  const own = match.sides.find((side) => side.team?.guid === team)
  const other = match.sides.find((side) => side !== own) as Side
  const { scheduledAt, status, number } = match
  const away = scheduledAt === null ? null : Date.parse(scheduledAt) - time
  return (
    <section className={styles.step} aria-label={words(isOwn ? 'tournament.own-match' : 'tournament.followed-match')}>
      <div>
        <h2>{words(isOwn ? 'tournament.own-match' : 'tournament.followed-match')}</h2>
        <p className={styles.lead}>
          {own?.team && <TeamName team={own.team} isStrong />} {words('home.against')}{' '}
          {other.team === null ? sideName(other) : <TeamName team={other.team} />}
        </p>
        <p>
          {words('match.context', { number, round: roundOf(match) })}, {words('match.best-of', { games: match.bestOf })}
          . {scheduledAt === null ? words('match.no-time') : <Instant at={scheduledAt} zone={tournament.timezone} />}
        </p>
      </div>
      <div className={styles.aside}>
        {status === 'running' ? (
          <MatchState status={status} />
        ) : (
          scheduledAt !== null && away !== null && away > 0 && away < soonMs && <Countdown at={scheduledAt} />
        )}
        <p className="btns no-print">
          <Link {...matchLink(tournament.id, division, number)} className="btn btn-primary">
            {words('match.open-one', { number })}
          </Link>
        </p>
      </div>
    </section>
  )
}
