import type { BracketWithMatches, Match } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { followsOf, type View } from '../../parts/bracket/cell.tsx'
import { groupName, groupsOf } from '../../parts/bracket/groups.ts'
import { type DrawnRound, isTableFormat, type Part } from '../../parts/bracket/layout.ts'
import { daysOf, nameOf } from '../../parts/bracket/part.tsx'
import { hasWon, Score, type Side, SideName, sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { MatchState } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { StandingsTable } from '../standings-table.tsx'
import { useMatchLinks } from './links.ts'
import styles from './list.module.css'

/** A bracket as tables, round by round. */

interface ListProps {
  readonly parts: readonly Part[]
  readonly zone: string
  readonly view: View
}

export function BracketList({ parts, zone, view }: ListProps) {
  const onClick = useMatchLinks()
  return (
    // biome-ignore lint/a11y: what is clicked are the links inside, and Enter clicks a link
    <div className={styles.list} onClick={onClick}>
      {parts.flatMap((part) =>
        part.rounds.map((round) => (
          <Round
            key={round.key}
            title={part.group === null ? round.name : `${nameOf(part, parts)}, ${round.name}`}
            {...{ round, zone, view }}
          />
        )),
      )}
    </div>
  )
}

interface RoundProps extends Omit<ListProps, 'parts'> {
  readonly round: DrawnRound
  readonly title: string
}

function Round({ round, title, zone, view }: RoundProps) {
  const days = daysOf(round)
  return (
    <Section title={title} beside={<RoundFacts games={round.bestOf} days={days} />}>
      <table className={`table ${styles.matches}`}>
        <thead className="unseen">
          <tr>
            <th scope="col">{words('match.number')}</th>
            <th scope="col">{words('match.side1')}</th>
            <th scope="col">{words('match.score')}</th>
            <th scope="col">{words('match.side2')}</th>
            <th scope="col">{words('match.state')}</th>
            <th scope="col">{words('bracket.after')}</th>
          </tr>
        </thead>
        <tbody>
          {round.matches.map((match) => (
            <Line key={match.guid} match={match} zone={zone} view={view} hasDays={days.includes('–')} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function RoundFacts({ games, days }: { readonly games: number; readonly days: string }) {
  return (
    <span className="muted">
      {words('match.best-of', { games })}
      {days !== '' && `, ${days}`}
    </span>
  )
}

interface LineProps extends Omit<ListProps, 'parts'> {
  readonly match: Match
  /** The round is played on several days. */
  readonly hasDays: boolean
}

function Line({ match, zone, view, hasDays }: LineProps) {
  const [first, second] = match.sides as readonly [Side, Side]
  if (match.outcome === 'bye') {
    return (
      <tr>
        <th scope="row" className="code">
          {match.number}
        </th>
        <td colSpan={5} className="muted">
          {words('match.free', { team: sideName(first.bye ? second : first) })}
        </td>
      </tr>
    )
  }
  const isPlayed = match.status === 'completed' || match.status === 'running'
  return (
    <tr>
      <th scope="row">
        <a href={`${view.base}/${match.number}`} data-match={match.guid} className="plain code">
          <span className="unseen">{words('match.match')} </span>
          {match.number}
        </a>
      </th>
      <td className={`${styles.first} ${toneOf(first, second, view)}`}>
        <SideName side={first} />
      </td>
      <td className={styles.middle}>
        {isPlayed ? (
          <Result match={match} isHidden={view.isHidden} />
        ) : match.scheduledAt === null ? (
          <span className="muted">–</span>
        ) : (
          <Instant at={match.scheduledAt} as={hasDays ? 'full' : 'time'} zone={zone} />
        )}
      </td>
      <td className={toneOf(second, first, view)}>
        <SideName side={second} />
      </td>
      <td className={styles.state}>
        <MatchState status={match.status} />
      </td>
      <td className={`muted ${styles.next}`}>
        {match.conditional && match.status !== 'completed'
          ? words('match.conditional')
          : followsOf(match, view.numbers)}
      </td>
    </tr>
  )
}

/** The score, or that there was none to play for. */
function Result({ match, isHidden }: { readonly match: Match; readonly isHidden: boolean }) {
  if (!isHidden && match.outcome === 'walkover') return <span className="muted">{words('match.walkover-short')}</span>
  return <Score sides={match.sides} isHidden={isHidden} />
}

function toneOf(side: Side, other: Side, { isHidden, followed }: View): string {
  const tone = isHidden ? '' : hasWon(side) ? 'strong' : hasWon(other) ? 'muted' : ''
  return side.team !== null && side.team.guid === followed ? `${tone} ${styles.mine}` : tone
}

interface TablesProps {
  readonly bracket: BracketWithMatches
  readonly tournament: string
}

/** The tables of a bracket that has some, of each group or of one. */
export function BracketTables({ bracket, tournament }: TablesProps) {
  if (!isTableFormat(bracket) || bracket.standings.length === 0) return null
  return (
    <div className={styles.tables}>
      {[...groupsOf(bracket.standings)].map(([group, standings]) => (
        <StandingsTable
          key={group}
          title={group === null ? words('standings.title') : words('standings.group', { group: groupName(group) })}
          standings={standings}
          isBrief
          tournament={tournament}
        />
      ))}
    </div>
  )
}
