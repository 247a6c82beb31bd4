import { Link } from '@tanstack/react-router'
import type { Match, MatchCard } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import styles from './match.module.css'
import { MatchState } from './state.tsx'
import { colorOf, TeamName } from './team.tsx'

/** One match as pages show it: as a board while it runs, as a line of a table, and as a sentence. */

export type Side = Match['sides'][number]
type Round = Pick<Match, 'section' | 'round'> & { readonly roundName?: string }

/** The name of a side: the team, or the match that it comes from. */
export function sideName({ team, from, bye }: Side): string {
  if (team !== null) return team.name
  if (bye) return words('match.bye')
  if (from === null) return words('match.undecided')
  return words(from.outcome === 'winner' ? 'match.winner-of' : 'match.loser-of', { number: from.number })
}

/** The name of a round as a sentence has it; the one that its bracket gives it, where the match tells that. */
export function roundName({ section, round, roundName: name }: Round): string {
  if (name !== undefined) return inSentence(name)
  if (section === 'third_place') return words('round.third-place')
  return words(`round.${section}`, { round })
}

export const inSentence = (name: string): string => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`

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
