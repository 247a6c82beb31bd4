import { Link } from '@tanstack/react-router'
import type { Match, MatchCard } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import styles from './match.module.css'
import { MatchState } from './state.tsx'
import { colorOf, TeamName } from './team.tsx'
import { Instant } from './time.tsx'

/** One match as pages show it: as a board while it runs, as a line of a table, and as a sentence. */

export type Side = Match['sides'][number]
type Round = Pick<Match, 'section' | 'round'>

/** The name of a side: the team, or the match that it comes from. */
export function sideName({ team, from, bye }: Side): string {
  if (team !== null) return team.name
  if (bye) return words('match.bye')
  if (from === null) return words('match.undecided')
  return words(from.outcome === 'winner' ? 'match.winner-of' : 'match.loser-of', { number: from.number })
}

export function roundName({ section, round }: Round): string {
  if (section === 'third_place') return words('round.third-place')
  return words(`round.${section}`, { round })
}

/** Whether a side has won. */
export const hasWon = ({ result }: Side): boolean => result === 'win'

/** The scores for readers of a screen and of the page alike, such as "3 : 5". */
export function Score({ sides, isHidden = false }: { readonly sides: readonly Side[]; readonly isHidden?: boolean }) {
  if (isHidden) return <span className="muted">{words('spoiler.hidden')}</span>
  const [first, second] = sides
  if (first?.score == null || second?.score == null) return <span className="muted">–</span>
  return (
    <span className="num nowrap">
      <span className={hasWon(second) ? styles.lost : ''}>{first.score}</span>
      <span className={styles.colon}>:</span>
      <span className={hasWon(first) ? styles.lost : ''}>{second.score}</span>
    </span>
  )
}

/** The team of a side, or where it comes from. */
export const SideName = ({ side }: { readonly side: Side }) =>
  side.team === null ? <span className="muted">{sideName(side)}</span> : <TeamName team={side.team} />

/** Where a match lives. */
export const matchLink = (tournament: string, division: string, number: number) =>
  ({ to: '/t/$tournament/m/$division/$number', params: { tournament, division, number: String(number) } }) as const

interface BoardProps {
  readonly match: MatchCard | Match
  readonly tournament: string
  readonly division: string
  readonly context: string
  readonly isHidden?: boolean
}

/** A running match as on a scoreboard. */
export function Board({ match, tournament, division, context, isHidden = false }: BoardProps) {
  return (
    <li className={styles.board}>
      <Link {...matchLink(tournament, division, match.number)} className={styles.boardLink}>
        <span className={styles.boardHead}>
          <MatchState status={match.status} />
          <span className="muted">{context}</span>
        </span>
        {match.sides.map((side, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
          <span key={at} className={styles.boardSide} style={colorOf(side.team)}>
            <bdi>{sideName(side)}</bdi>
            <b className="num">{isHidden ? '–' : (side.score ?? 0)}</b>
          </span>
        ))}
      </Link>
      <p className={styles.boardFoot}>
        {match.streamUrl === null ? (
          <span>{words('match.not-streamed')}</span>
        ) : (
          <a href={match.streamUrl} rel="nofollow ugc noopener">
            {words('match.stream')}
          </a>
        )}
        <span>{words('match.best-of', { games: match.bestOf })}</span>
      </p>
    </li>
  )
}

export function Boards({ children }: { readonly children: React.ReactNode }) {
  return <ul className={styles.boards}>{children}</ul>
}

interface LineProps {
  readonly match: Match | MatchCard
  readonly tournament: string
  readonly division: string
  readonly zone?: string
  readonly isHidden?: boolean
  readonly context?: string
}

/** A match as a line of a table: number, side 1, score or time, side 2. */
export function MatchLine({ match, tournament, division, zone, isHidden = false, context }: LineProps) {
  const [first, second] = match.sides as readonly [Side, Side]
  const isPlayed = match.status === 'completed' || match.status === 'running'
  const tone = (side: Side, other: Side) =>
    !isHidden && hasWon(side) ? 'strong' : !isHidden && hasWon(other) ? 'muted' : ''
  return (
    <tr>
      <td className="narrow code">{match.number}</td>
      <td className={`${styles.first} ${tone(first, second)}`}>
        {first.team === null ? <span className="muted">{sideName(first)}</span> : <TeamName team={first.team} />}
      </td>
      <td className={styles.middle}>
        <Link {...matchLink(tournament, division, match.number)} className="plain">
          {isPlayed ? (
            <Score sides={match.sides} isHidden={isHidden} />
          ) : match.scheduledAt === null ? (
            <span className="muted">{words('match.no-time')}</span>
          ) : (
            <Instant at={match.scheduledAt} as="time" zone={zone} />
          )}
          <span className="unseen">{words('match.open', { number: match.number })}</span>
        </Link>
      </td>
      <td className={tone(second, first)}>
        {second.team === null ? <span className="muted">{sideName(second)}</span> : <TeamName team={second.team} />}
      </td>
      <td className="only-wide narrow muted">{context ?? roundName(match)}</td>
      <td className="only-wide narrow">
        <MatchState status={match.status} />
      </td>
    </tr>
  )
}

export function MatchTable({ caption, children }: { readonly caption: string; readonly children: React.ReactNode }) {
  return (
    <table className={`table ${styles.matches}`}>
      <caption className="unseen">{caption}</caption>
      <thead className="unseen">
        <tr>
          <th scope="col">{words('match.number')}</th>
          <th scope="col">{words('match.side1')}</th>
          <th scope="col">{words('match.score')}</th>
          <th scope="col">{words('match.side2')}</th>
          <th scope="col">{words('match.round')}</th>
          <th scope="col">{words('match.state')}</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
