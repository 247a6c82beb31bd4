import { Link } from '@tanstack/react-router'
import type { Channel, Match } from '../../../client/generated.ts'
import { useMatchCodes } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { hasWon, matchLink, type Side, SideName } from '../parts/match.tsx'
import { useRoundNames } from '../parts/rounds.ts'
import { MatchState } from '../parts/state.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './schedule.module.css'

const minuteMs = 60_000
/** The minute for which a match is planned, which is as exact as a page is. */
const minuteOf = ({ scheduledAt }: Match) =>
  new Date(Math.floor(Date.parse(scheduledAt as string) / minuteMs) * minuteMs).toISOString()

/** One day as a table: a line for each time, a column for each channel, and one for what is not streamed. */

interface Props {
  readonly title: string
  /** In order of time. */
  readonly matches: readonly Match[]
  readonly channels: readonly Channel[]
  readonly channelOf: (match: Match) => string | undefined
  readonly tournament: string
  readonly divisions: ReadonlyMap<string, string>
  readonly isHidden: boolean
}

export function Grid({ title, matches, channels, channelOf, tournament, divisions, isHidden }: Props) {
  const roundOf = useRoundNames()
  const codeOf = useMatchCodes()
  const used = channels.filter(({ guid }) => matches.some((match) => channelOf(match) === guid))
  const rest = matches.some((match) => channelOf(match) === undefined)
  const columns = [
    ...used.map(({ guid, name }) => ({ guid: guid as string | undefined, name })),
    ...(rest ? [{ guid: undefined, name: words('match.not-streamed') }] : []),
  ]
  return (
    <table className={styles.grid}>
      <caption className="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{words('schedule.time')}</th>
          {columns.map(({ guid, name }) => (
            <th key={guid ?? 'none'} scope="col" className={guid === undefined && used.length > 0 ? styles.rest : ''}>
              <bdi>{name}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...Map.groupBy(matches, minuteOf)].map(([at, each]) => (
          <tr key={at}>
            <th scope="row">
              <Instant at={at} as="time" />
            </th>
            {columns.map(({ guid, name }) => {
              const here = each.filter((match) => channelOf(match) === guid)
              return (
                <td key={guid ?? 'none'} className={here.length === 0 ? styles.free : ''}>
                  {here.length > 0 && (
                    <>
                      {guid !== undefined && (
                        <p className={`only-narrow small muted ${styles.channel}`} aria-hidden="true">
                          <bdi>{name}</bdi>
                        </p>
                      )}
                      <ul className={guid === undefined ? styles.many : ''}>
                        {here.map((match) => (
                          <Cell
                            key={match.guid}
                            match={match}
                            round={roundOf(match)}
                            code={codeOf(match)}
                            tournament={tournament}
                            division={divisions.get(match.division) ?? match.division}
                            isHidden={isHidden}
                          />
                        ))}
                      </ul>
                    </>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellProps {
  readonly match: Match
  readonly round: string
  readonly code: string
  readonly tournament: string
  readonly division: string
  readonly isHidden: boolean
}

/** States that neither the scores nor the names of the sides tell. */
const isTold = (status: Match['status']) => status === 'running' || status === 'ready' || status === 'cancelled'

/** A match in the grid: its sides below each other, with their scores. */
function Cell({ match, round, code, tournament, division, isHidden }: CellProps) {
  const isScored = match.status === 'completed' || match.status === 'running'
  return (
    <li>
      <Link {...matchLink(tournament, division, match.number)} className={`plain ${styles.match}`}>
        <span className={styles.about}>
          <span className="code">{code}</span>
          <span className="muted">{round}</span>
          {isTold(match.status) && <MatchState status={match.status} />}
        </span>
        {match.sides.map((side, at) => (
          <SideLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
            key={at}
            side={side}
            isLost={!isHidden && match.sides.some((other) => other !== side && hasWon(other))}
            score={isScored && !isHidden ? side.score : null}
          />
        ))}
        <span className="unseen">{words('match.open', { number: match.number })}</span>
      </Link>
    </li>
  )
}

interface SideProps {
  readonly side: Side
  readonly isLost: boolean
  readonly score: number | null
}

function SideLine({ side, isLost, score }: SideProps) {
  const isWinner = !isLost && score !== null && hasWon(side)
  return (
    <span className={`${styles.side} ${isWinner ? 'strong' : ''} ${isLost ? 'muted' : ''}`}>
      <SideName side={side} />
      {score !== null && <span className="num">{score}</span>}
    </span>
  )
}
