import { Link } from '@tanstack/react-router'
import { type CSSProperties, type KeyboardEvent, memo, useRef, useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { hasWon, matchLink, type Side, sentenceOf, sideName } from '../../parts/match.tsx'
import { colorOf } from '../../parts/team.tsx'
import { dayOf, timeOf } from '../../parts/time.tsx'
import { type Part, wiresOf } from './layout.ts'
import styles from './tree.module.css'

/**
 * The drawing of a bracket: sections, rounds and ordered lists of links, laid out by a grid, with the wires behind them.
 * It is one stop of the tabulator; arrows move in space.
 */

interface TreeProps {
  readonly parts: readonly Part[]
  readonly tournament: string
  readonly division: string
  /** The GUID of the followed team. */
  readonly followed: string | undefined
  readonly isHidden: boolean
  readonly zoom: number
}

export function Tree({ parts, tournament, division, followed, isHidden, zoom }: TreeProps) {
  const all = parts.flatMap((part) => part.rounds.flatMap((round) => round.matches))
  const numbers = new Map(all.map((match) => [match.guid, match.number]))
  const [active, setActive] = useState<string>()
  const root = useRef<HTMLDivElement>(null)
  const current = active !== undefined && numbers.has(active) ? active : all[0]?.guid
  const links = useRef(new Map<string, HTMLAnchorElement>())
  const go = (match: Match | undefined) => {
    if (match === undefined) return
    setActive(match.guid)
    links.current.get(match.guid)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const match = all.find(({ guid }) => guid === current)
    if (match === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') {
      document.getElementById('after-bracket')?.focus()
      return
    }
    const next = step(event.key, match, parts, followed)
    if (next === undefined) return
    event.preventDefault()
    go(next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move the focus among the links inside
    <div ref={root} className={styles.tree} style={measuresOf(parts, zoom)} onKeyDown={onKeyDown}>
      {parts.map((part) => (
        <section
          key={part.section}
          className={`${styles.part} ${styles[part.section] ?? ''} ${parts.length === 1 ? styles.alone : ''}`}
          style={{ '--rows': rowsOf(part, parts) } as CSSProperties}
          aria-labelledby={`part-${part.section}`}
        >
          <h2 id={`part-${part.section}`}>{words(`part.${part.section}`)}</h2>
          <div className={styles.rounds} style={{ '--rounds': part.rounds.length } as CSSProperties}>
            <Wires part={part} followed={followed} />
            {part.rounds.map((round) => (
              <section key={round.key} id={round.key} className={styles.round} aria-labelledby={`${round.key}-name`}>
                <h3 id={`${round.key}-name`}>
                  {round.name}
                  <small>{words('match.best-of', { games: round.bestOf })}</small>
                </h3>
                <ol>
                  {round.matches.map((match) => (
                    <Cell
                      key={match.guid}
                      match={match}
                      tournament={tournament}
                      division={division}
                      isHidden={isHidden}
                      isFollowed={followed !== undefined && match.sides.some((side) => side.team?.guid === followed)}
                      isActive={match.guid === current}
                      winnerTo={match.nextMatchGuid === null ? null : (numbers.get(match.nextMatchGuid) ?? null)}
                      loserTo={match.loserMatchGuid === null ? null : (numbers.get(match.loserMatchGuid) ?? null)}
                      keep={(link) => {
                        if (link === null) links.current.delete(match.guid)
                        else links.current.set(match.guid, link)
                      }}
                      onFocus={() => setActive(match.guid)}
                    />
                  ))}
                </ol>
              </section>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

/** The final is right of the upper bracket and as high. */
function rowsOf({ section, rows }: Part, parts: readonly Part[]): number {
  return section === 'final' ? (parts.find((part) => part.section === 'upper')?.rows ?? rows) : rows
}

/** The measures of the drawing: how many rounds are in a row, as numbers for the grid. */
function measuresOf(parts: readonly Part[], zoom: number): CSSProperties {
  const countOf = (section: Part['section']) => parts.find((part) => part.section === section)?.rounds.length ?? 0
  const longest = Math.max(...parts.map(({ rounds }) => rounds.length))
  const main = countOf('upper') === 0 ? longest : countOf('upper')
  const beside = countOf('final')
  return {
    '--zoom': zoom,
    '--columns': Math.max(main + beside, longest),
    '--parts': beside === 0 ? 'minmax(0, 1fr)' : `minmax(0, ${main}fr) minmax(0, ${beside}fr)`,
  } as CSSProperties
}

/** The match that a key leads to: in space, along the feeders, or along the followed team. */
function step(key: string, match: Match, parts: readonly Part[], followed: string | undefined): Match | undefined {
  const rounds = parts.flatMap((part) => part.rounds)
  const all = rounds.flatMap((round) => round.matches)
  const round = rounds.find(({ matches }) => matches.includes(match))
  const at = round?.matches.indexOf(match) ?? 0
  const isMirrored = document.documentElement.dir === 'rtl'
  const forward = isMirrored ? 'ArrowLeft' : 'ArrowRight'
  const back = isMirrored ? 'ArrowRight' : 'ArrowLeft'
  if (key === 'ArrowDown') return round?.matches[at + 1]
  if (key === 'ArrowUp') return round?.matches[at - 1]
  if (key === forward) return all.find(({ guid }) => guid === match.nextMatchGuid)
  if (key === back) {
    const feeders = match.sides.map(({ from }) => from?.matchGuid)
    return all.find(({ guid }) => feeders.includes(guid))
  }
  const part = parts.find(({ section }) => section === match.section)
  if (key === 'Home') return part?.rounds[0]?.matches[0]
  if (key === 'End') return part?.rounds.at(-1)?.matches[0]
  if (key === 'f' && followed !== undefined) {
    const path = all.filter(({ sides }) => sides.some((side) => side.team?.guid === followed))
    return path[(path.indexOf(match) + 1) % path.length]
  }
  return undefined
}

interface CellProps {
  readonly match: Match
  readonly tournament: string
  readonly division: string
  readonly isHidden: boolean
  readonly isFollowed: boolean
  readonly isActive: boolean
  readonly winnerTo: number | null
  readonly loserTo: number | null
  readonly keep: (link: HTMLAnchorElement | null) => void
  readonly onFocus: () => void
}

const Cell = memo(
  function Cell({
    match,
    tournament,
    division,
    isHidden,
    isFollowed,
    isActive,
    winnerTo,
    loserTo,
    keep,
    onFocus,
  }: CellProps) {
    const [first, second] = match.sides as readonly [Side, Side]
    if (match.outcome === 'bye') {
      return (
        <li className={styles.bye}>
          <span>{words('match.free', { team: sideName(first.bye ? second : first) })}</span>
        </li>
      )
    }
    const classes = [
      styles.cell,
      isFollowed && styles.followed,
      match.status === 'running' && styles.running,
      match.conditional && styles.conditional,
    ]
    return (
      <li>
        <Link
          ref={keep}
          {...matchLink(tournament, division, match.number)}
          className={classes.filter(Boolean).join(' ')}
          tabIndex={isActive ? 0 : -1}
          onFocus={onFocus}
          preload={false}
        >
          <span className="unseen">{sentenceOf(match, { winner: winnerTo, loser: loserTo }, isHidden)}</span>
          <span className={styles.number} aria-hidden="true">
            {match.number}
            {match.status === 'running' && <StateIcon name="running" />}
          </span>
          {match.sides.map((side, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
            <SideOf key={at} side={side} other={at === 0 ? second : first} match={match} at={at} isHidden={isHidden} />
          ))}
        </Link>
      </li>
    )
  },
  (before, after) =>
    before.match === after.match &&
    before.isHidden === after.isHidden &&
    before.isFollowed === after.isFollowed &&
    before.isActive === after.isActive,
)

function SideOf({
  side,
  other,
  match,
  at,
  isHidden,
}: {
  readonly side: Side
  readonly other: Side
  readonly match: Match
  readonly at: number
  readonly isHidden: boolean
}) {
  const isWinner = !isHidden && hasWon(side)
  const tone = isWinner ? styles.won : !isHidden && hasWon(other) ? styles.lost : ''
  return (
    <span className={`${styles.side} ${tone}`} style={colorOf(side.team)} aria-hidden="true">
      <bdi className={side.team === null ? styles.unknown : ''}>{sideName(side)}</bdi>
      {isWinner && <StateIcon name="done" />}
      <b>{shownValue(match, side, at, isHidden)}</b>
    </span>
  )
}

/** The value at the end of a side: its score, else the day above and the time below. */
function shownValue(
  { status, scheduledAt, outcome }: Match,
  { score, result }: Side,
  at: number,
  isHidden: boolean,
): string {
  if (status === 'completed' || status === 'running') {
    if (isHidden) return '–'
    if (outcome === 'walkover' || outcome === 'double_forfeit')
      return result === 'win' ? words('match.walkover-short') : '–'
    return score === null ? '–' : String(score)
  }
  if (scheduledAt === null) return ''
  return at === 0 ? dayOf(scheduledAt).replace(/^\w+,? /, '') : timeOf(scheduledAt)
}

/** The lines behind the matches. */
function Wires({ part, followed }: { readonly part: Part; readonly followed: string | undefined }) {
  const wires = wiresOf(part)
  const isOnPath = (match: Match) => followed !== undefined && match.sides.some((side) => side.team?.guid === followed)
  return (
    <svg
      className={styles.wires}
      aria-hidden="true"
      preserveAspectRatio="none"
      viewBox={`0 0 ${part.rounds.length * 100} 1000`}
    >
      {wires.map((wire) => {
        const [x1, x2] = [wire.column * 100 + cellEnd, wire.toColumn * 100 + cellStart]
        const middle = (x1 + x2) / 2
        const [y1, y2] = [wire.start * 1_000, wire.end * 1_000]
        return (
          <path
            key={wire.key}
            d={`M${x1} ${y1}H${middle}V${y2}H${x2}`}
            className={
              isOnPath(wire.from) && isOnPath(wire.to) ? styles.path : wire.to.conditional ? styles.dashed : ''
            }
            vectorEffect="non-scaling-stroke"
          />
        )
      })}
    </svg>
  )
}

/** Where the cell begins and ends in its column, in hundredths of the column. */
const cellStart = 14
const cellEnd = 96
