import { Link } from '@tanstack/react-router'
import type { Match } from '../../../client/generated.ts'
import { useMatchCodes } from '../data/tournament.ts'
import { type WordId, words } from '../data/words.ts'
import { hasWon, matchLink, Score, type Side, SideName } from '../parts/match.tsx'
import { useRoundNames } from '../parts/rounds.ts'
import { MatchState } from '../parts/state.tsx'
import { Instant, isSameZone, ownZone } from '../parts/time.tsx'
import styles from './plan-table.module.css'

/** Matches with all that is planned of them: time, sides, stream, officials. */

interface Props {
  readonly caption: string
  readonly matches: readonly Match[]
  readonly tournament: string
  /** Short ids of divisions by their GUID. */
  readonly divisions: ReadonlyMap<string, string>
  /** The tournament's zone. */
  readonly zone: string
  readonly isHidden: boolean
  /** Whether the day is shown with the time, where matches are not by day. */
  readonly hasDay?: boolean
  /** Whether each line tells its round, which a heading may have told. */
  readonly hasRound?: boolean
  /** Whether the columns for streams and officials are left out, where there is little room. */
  readonly isShort?: boolean
}

const isElsewhere = (zone: string, at: string) => !isSameZone(zone, ownZone, Date.parse(at))

export function PlanTable({ caption, matches, isShort = false, hasRound = true, ...common }: Props) {
  const { zone } = common
  const roundOf = useRoundNames()
  const codeOf = useMatchCodes()
  const hasOfficials = !isShort && matches.some(({ officials }) => officials.length > 0)
  const hasWatching = matches.some(({ streamUrl, vodUrl }) => streamUrl !== null || vodUrl !== null)
  const columns = { hasOfficials, hasWatching, isShort }
  const isZoned = !isShort && matches.some(({ scheduledAt }) => scheduledAt !== null && isElsewhere(zone, scheduledAt))
  const widths = [
    styles.plan,
    isShort ? styles.short : '',
    common.hasDay ? styles.dated : '',
    isZoned ? styles.zoned : '',
  ].join(' ')
  return (
    <table className={`table ${widths}`}>
      <caption className="unseen">{caption}</caption>
      <thead className={styles.head}>
        <tr>
          <th scope="col" className={styles.time}>
            {words('schedule.time')}
          </th>
          <th scope="col" className={styles.number}>
            {words('match.number')}
          </th>
          <th scope="col">{words('match.side1')}</th>
          <th scope="col" className={styles.middle}>
            {words('match.score')}
          </th>
          <th scope="col">{words('match.side2')}</th>
          {hasRound && (
            <th scope="col" className={styles.round}>
              {words('match.round')}
            </th>
          )}
          {hasWatching && (
            <th scope="col" className={styles.watch}>
              {words('match.stream')}
            </th>
          )}
          {hasOfficials && (
            <th scope="col" className={styles.officials}>
              {words('match.officials')}
            </th>
          )}
          <th scope="col" className={styles.state}>
            {words('match.state')}
          </th>
        </tr>
      </thead>
      <tbody>
        {matches.map((match) => (
          <Line
            key={match.guid}
            match={match}
            code={codeOf(match)}
            round={hasRound ? roundOf(match) : null}
            {...common}
            {...columns}
          />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps extends Omit<Props, 'caption' | 'matches'> {
  readonly match: Match
  /** Its number, with its division where there are several. */
  readonly code: string
  readonly round: string | null
  readonly hasOfficials: boolean
  readonly hasWatching: boolean
}

function Line({
  match,
  code,
  round,
  tournament,
  divisions,
  zone,
  isHidden,
  hasDay,
  hasOfficials,
  hasWatching,
  isShort,
}: LineProps) {
  const [first, second] = match.sides as readonly [Side, Side]
  const { status, scheduledAt } = match
  const isPlayed = status === 'completed' || status === 'running'
  const tone = (side: Side, other: Side) => (isHidden ? '' : hasWon(side) ? 'strong' : hasWon(other) ? 'muted' : '')
  return (
    <tr>
      <td className={styles.time}>
        {scheduledAt === null ? (
          <span className="muted">–</span>
        ) : (
          <Instant at={scheduledAt} as={hasDay ? 'full' : 'time'} {...(!isShort && { zone })} />
        )}
      </td>
      <td className={`code ${styles.number}`}>{code}</td>
      <td className={`${styles.first} ${tone(first, second)}`}>
        <SideName side={first} />
      </td>
      <td className={styles.middle}>
        <Link
          {...matchLink(tournament, divisions.get(match.division) ?? match.division, match.number)}
          className="plain"
        >
          {isPlayed ? (
            <Score sides={match.sides} isHidden={isHidden} />
          ) : (
            <>
              <span className="muted only-wide">{words('home.against')}</span>
              <span className={`only-narrow ${styles.open}`}>{words('match.open-short')}</span>
            </>
          )}
          <span className="unseen">{words('match.open', { number: match.number })}</span>
        </Link>
      </td>
      <td className={`${styles.second} ${tone(second, first)}`}>
        <SideName side={second} />
      </td>
      {round !== null && <td className={`muted ${styles.round}`}>{round}</td>}
      {hasWatching && (
        <td className={styles.watch}>
          <Watching match={match} />
        </td>
      )}
      {hasOfficials && (
        <td className={styles.officials}>
          {match.officials.map(({ user, role }, at) => (
            <span key={`${user.guid} ${role}`}>
              {at > 0 && ', '}
              <Link
                to="/u/$user"
                params={{ user: user.guid }}
                className="plain"
                title={words(`role-one.${role.replace('role:', '')}` as WordId)}
              >
                <bdi>{user.preferredName}</bdi>
              </Link>
            </span>
          ))}
        </td>
      )}
      <td className={styles.state}>
        <MatchState status={status} isShort />
      </td>
    </tr>
  )
}

/** Where a match is or was to be seen. */
function Watching({ match: { streamUrl, vodUrl, status, number } }: { readonly match: Match }) {
  const isOver = status === 'completed'
  const url = isOver ? vodUrl : streamUrl
  if (url === null) return null
  return (
    <a href={url} rel="nofollow ugc noopener">
      {words(isOver ? 'match.recording' : 'match.stream')}
      <span className="unseen">{words('match.of', { number })}</span>
    </a>
  )
}
