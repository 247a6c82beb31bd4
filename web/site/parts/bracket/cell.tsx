import { memo } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../icon.tsx'
import { hasWon, type Side, sideName } from '../match.tsx'
import { colorOf } from '../team.tsx'
import { fullOf, shortDayOf, timeOf } from '../time.tsx'
import { sideOf } from './layout.ts'
import styles from './tree.module.css'

/** What all matches of a drawing are shown with. */
export interface View {
  /** The address of a match without its number; null for matches that do not exist yet. */
  readonly base: string | null
  /** The numbers of the matches, by their GUIDs. */
  readonly numbers: ReadonlyMap<string, number>
  /** The GUID of the followed team. */
  readonly followed: string | undefined
  /** The GUIDs of the teams that the reader plays in. */
  readonly own: ReadonlySet<string>
  readonly isHidden: boolean
}

interface CellProps extends View {
  readonly match: Match
  readonly round: string
  readonly isActive: boolean
}

/** A match in the drawing. Its text is a sentence; only what is in a column is seen. (WCAG 2.2: Label in Name) */
export const Cell = memo(
  function Cell({ match, round, base, numbers, followed, own, isHidden, isActive }: CellProps) {
    const [first, second] = match.sides as readonly [Side, Side]
    if (match.outcome === 'bye') return <Bye match={match} side={first.bye ? second : first} />
    const mine = sideOf(match, followed)
    const classes = [
      styles.cell,
      mine >= 0 && styles.followed,
      match.status === 'running' && styles.running,
      match.status === 'cancelled' && styles.cancelled,
      match.conditional && match.status !== 'completed' && styles.conditional,
    ]
    const isScored = !isHidden && first.score !== null && second.score !== null && isPlayed(match)
    const follows = followsOf(match, numbers)
    const Box = base === null ? 'span' : 'a'
    return (
      <li>
        <Box
          data-match={match.guid}
          className={classes.filter(Boolean).join(' ')}
          {...(base !== null && { href: `${base}/${match.number}`, tabIndex: isActive ? 0 : -1 })}
        >
          <span className="unseen">{words('match.match')} </span>
          <span className={styles.number}>
            {match.number}
            {match.status === 'running' && <StateIcon name="running" />}
          </span>
          <span className="unseen">, {round}: </span>
          <SideOf match={match} at={0} isFollowed={mine === 0} isOwn={isOf(first, own)} isHidden={isHidden} />
          <span className="unseen">{isScored ? ', ' : ` ${words('match.against')} `}</span>
          <SideOf match={match} at={1} isFollowed={mine === 1} isOwn={isOf(second, own)} isHidden={isHidden} />
          <span className="unseen">. {stateOf(match, isHidden)} </span>
          <span className={styles.follows}>{follows}</span>
        </Box>
      </li>
    )
  },
  (before, after) =>
    before.match === after.match &&
    before.isActive === after.isActive &&
    before.isHidden === after.isHidden &&
    before.round === after.round &&
    before.own === after.own &&
    sideOf(before.match, before.followed) === sideOf(after.match, after.followed),
)

const isOf = ({ team }: Side, own: ReadonlySet<string>): boolean => team !== null && own.has(team.guid)
const isPlayed = ({ status }: Match): boolean => status === 'completed' || status === 'running'

function Bye({ match, side }: { readonly match: Match; readonly side: Side }) {
  return (
    <li className={styles.bye}>
      <bdi>{sideName(side)}</bdi> <span>{words(match.section === 'swiss' ? 'bracket.bye-swiss' : 'bracket.bye')}</span>
    </li>
  )
}

interface SideProps {
  readonly match: Match
  readonly at: 0 | 1
  readonly isFollowed: boolean
  readonly isOwn: boolean
  readonly isHidden: boolean
}

function SideOf({ match, at, isFollowed, isOwn, isHidden }: SideProps) {
  const [side, other] = (at === 0 ? match.sides : match.sides.toReversed()) as readonly [Side, Side]
  const isWinner = !isHidden && hasWon(side)
  const classes = [
    styles.side,
    isFollowed && styles.mine,
    isWinner ? styles.won : !isHidden && hasWon(other) && styles.lost,
  ]
  return (
    <span className={classes.filter(Boolean).join(' ')} style={side.team === null ? undefined : colorOf(side.team)}>
      {side.team === null ? <Unknown side={side} /> : <bdi>{side.team.name}</bdi>}
      {isOwn && <span className="unseen"> ({words('bracket.own')})</span>}
      {isWinner && <StateIcon name="done" />}
      <ValueOf match={match} side={side} at={at} isHidden={isHidden} />
    </span>
  )
}

/** A side that waits: "Winner of match 7", where "match" is only heard. */
function Unknown({ side }: { readonly side: Side }) {
  const { from } = side
  if (from === null) return <span className={styles.unknown}>{sideName(side)}</span>
  const [before = '', after = ''] = sideName({ ...side, from: { ...from, number: Number.NaN } }).split('NaN')
  return (
    <span className={styles.unknown}>
      {before}
      <span className="unseen">{words('match.word')} </span>
      {from.number}
      {after}
    </span>
  )
}

/** At the end of a side: its score; before the match its day above and its time below, which the sentence has in full. */
function ValueOf({
  match,
  side,
  at,
  isHidden,
}: Pick<SideProps, 'match' | 'at' | 'isHidden'> & { readonly side: Side }) {
  const { status, outcome, scheduledAt } = match
  if (isPlayed(match)) {
    if (isHidden) return <b aria-hidden="true">–</b>
    if (outcome === 'walkover' || outcome === 'double_forfeit')
      return <b aria-hidden="true">{hasWon(side) ? words('match.walkover-short') : '–'}</b>
    return side.score === null ? <b aria-hidden="true">–</b> : <b> {side.score}</b>
  }
  if (scheduledAt === null || status === 'cancelled') return null
  return (
    <small aria-hidden="true" className={styles.at}>
      {at === 0 ? shortDayOf(scheduledAt) : timeOf(scheduledAt)}
    </small>
  )
}

/** The state of the match, in sentences. */
function stateOf(match: Match, isHidden: boolean): string {
  const { status, outcome, scheduledAt, conditional, sides } = match
  const winner = sides.find(hasWon)?.team
  const parts = [
    outcome === 'walkover' && !isHidden
      ? words('match.by-walkover')
      : outcome === 'double_forfeit' && !isHidden
        ? words('match.both-forfeit')
        : words(`match.${status}`),
    winner != null && !isHidden && words('match.sentence-won', { team: winner.name }),
    !isPlayed(match) && status !== 'cancelled' && scheduledAt !== null && fullOf(scheduledAt),
    conditional && !isPlayed(match) && status !== 'cancelled' && onlyIf(match),
  ]
  return parts.flatMap((part) => (part === false ? [] : [`${part}.`])).join(' ')
}

/** The second match of a final is played only if the side from the lower bracket wins the first. */
function onlyIf({ sides }: Match): string {
  const number = sides.find(({ from }) => from !== null)?.from?.number
  return number === undefined ? words('match.conditional') : words('bracket.only-if', { number })
}

/** Where the two teams go from here. */
export function followsOf(match: Match, numbers: ReadonlyMap<string, number>): string {
  const numberOf = (guid: string | null) => (guid === null ? undefined : numbers.get(guid))
  const [winner, loser] = [numberOf(match.nextMatchGuid), numberOf(match.loserMatchGuid)]
  if (winner !== undefined && winner === loser) return words('bracket.then', { number: winner })
  if (winner !== undefined && loser !== undefined) return words('bracket.both-to', { winner, loser })
  if (winner !== undefined) return words('bracket.winner-to', { number: winner })
  return loser === undefined ? '' : words('bracket.loser-to', { number: loser })
}
