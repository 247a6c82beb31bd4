import { type CSSProperties, memo } from 'react'
import { words } from '../../data/words.ts'
import { Cell, type View } from './cell.tsx'
import { groupName } from './groups.ts'
import { type DrawnRound, type Part, wiresOf } from './layout.ts'
import { isLinked, plays } from './steps.ts'
import styles from './tree.module.css'

/** A part of a bracket as sections, rounds and ordered lists of links, laid out by a grid, with the wires behind them. */

interface PartProps {
  readonly part: Part
  readonly parts: readonly Part[]
  readonly view: View
  /** The GUID of the match that the tabulator stops at. */
  readonly active?: string | undefined
  /** Printed as well as the drawing on the screen, whose names it may not take. */
  readonly prefix?: string
  /** How many rows have their matches already; all if it is not given. */
  readonly filled?: number
}

export function PartDrawing({ part, parts, view, active, prefix = '', filled = part.rows }: PartProps) {
  const name = `${prefix}part-${part.key}`
  return (
    <section
      className={`${styles.part} ${styles[part.section] ?? ''}`}
      style={{ '--rows': rowsOf(part, parts), '--rounds': part.rounds.length } as CSSProperties}
      aria-labelledby={name}
    >
      <h2 id={name}>{nameOf(part, parts)}</h2>
      <div className={styles.rounds}>
        <Wires part={part} before={beforeOf(part, parts)} followed={view.followed} />
        {part.rounds.map((round) => (
          <Round
            key={round.key}
            round={round}
            id={`${prefix}${round.key}`}
            group={part.group === null ? '' : `${name} `}
            view={view}
            filled={Math.ceil((Math.min(filled, part.rows) / part.rows) * round.matches.length)}
            active={round.matches.some(({ guid }) => guid === active) ? active : undefined}
          />
        ))}
      </div>
    </section>
  )
}

/** A bracket without a lower one has no upper one either. */
export function nameOf({ section, group }: Part, parts: readonly Part[]): string {
  if (group !== null) return words('standings.group', { group: groupName(group) })
  const isSingle = section === 'upper' && !parts.some((part) => part.section === 'lower')
  return isSingle ? words('tournament.bracket') : words(`part.${section}`)
}

interface RoundProps {
  readonly round: DrawnRound
  readonly id: string
  /** The heading of its group, which has rounds of the same names as others. */
  readonly group: string
  readonly view: View
  readonly active: string | undefined
  /** So many matches are drawn; the others have their places. */
  readonly filled: number
}

const Round = memo(
  function Round({ round, id, group, view, active, filled }: RoundProps) {
    const spoken = `${round.name.slice(0, 1).toLowerCase()}${round.name.slice(1)}`
    const days = daysOf(round)
    return (
      <section id={id} className={styles.round} aria-labelledby={`${group}${id}-name`}>
        <h3 id={`${id}-name`}>
          {round.name}
          <small>
            <span className="unseen">, </span>
            {words('match.best-of', { games: round.bestOf })}
            {days !== '' && `, ${days}`}
          </small>
        </h3>
        <ol>
          {round.matches.map((match, at) =>
            at >= filled ? (
              <li key={match.guid} />
            ) : (
              <Cell key={match.guid} match={match} round={spoken} isActive={match.guid === active} {...view} />
            ),
          )}
        </ol>
      </section>
    )
  },
  (before, after) =>
    before.id === after.id &&
    before.active === after.active &&
    before.filled === after.filled &&
    before.view === after.view &&
    before.round.name === after.round.name &&
    before.round.bestOf === after.round.bestOf &&
    before.round.matches.length === after.round.matches.length &&
    before.round.matches.every((match, at) => match === after.round.matches[at]),
)

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The first and the last day of a round. */
export function daysOf({ matches }: DrawnRound): string {
  const times = matches.filter(isLinked).flatMap(({ scheduledAt }) => (scheduledAt === null ? [] : [scheduledAt]))
  const [first, last] = [times.toSorted()[0], times.toSorted().at(-1)]
  if (first === undefined || last === undefined) return ''
  return dayFormat.formatRange(new Date(first), new Date(last))
}

/** The final is right of the upper bracket and as high. */
function rowsOf({ section, rows }: Part, parts: readonly Part[]): number {
  return section === 'final' ? (parts.find((part) => part.section === 'upper')?.rows ?? rows) : rows
}

/** The part whose last match leads into this one, drawn at its side. */
const beforeOf = ({ section }: Part, parts: readonly Part[]): Part | undefined =>
  section === 'final' ? parts.find((part) => part.section === 'upper') : undefined

/** The measures of the drawing: how many rounds are in a row, as numbers for the grid. */
export function measuresOf(parts: readonly Part[], zoom: number): CSSProperties {
  const countOf = (section: Part['section']) => parts.find((part) => part.section === section)?.rounds.length ?? 0
  const hasGroups = parts.some(({ section }) => section === 'group')
  const longest = Math.max(...parts.map(({ rounds }) => rounds.length))
  const most = Math.max(
    ...parts.flatMap(({ rounds }) => rounds.flatMap(({ matches }) => matches.map(({ number }) => number))),
  )
  // Numbers of three figures need more room at the match, and in the names of sides that wait.
  const scale = { '--zoom': zoom, '--column': most > 99 || hasGroups ? '12em' : '10.6em' }
  const main = countOf('upper') === 0 ? longest : countOf('upper')
  const beside = countOf('upper') === 0 ? 0 : countOf('final')
  if (hasGroups)
    return {
      ...scale,
      '--columns': longest,
      '--parts': 'repeat(auto-fill, minmax(calc(var(--columns) * var(--column)), 1fr))',
    } as CSSProperties
  return {
    ...scale,
    '--columns': Math.max(main + beside, longest),
    '--parts': beside === 0 ? 'minmax(0, 1fr)' : `minmax(0, ${main}fr) minmax(0, ${beside}fr)`,
  } as CSSProperties
}

/** From so many matches on, each is laid out and painted by itself. */
const large = 32

/** The classes of a drawing. */
export function classesOf(parts: readonly Part[]): string {
  const count = parts.flatMap(({ rounds }) => rounds).reduce((sum, { matches }) => sum + matches.length, 0)
  const hasGroups = parts.some(({ section }) => section === 'group')
  return [styles.tree, hasGroups && styles.groups, count >= large && styles.large].filter(Boolean).join(' ')
}

interface WiresProps {
  readonly part: Part
  readonly before: Part | undefined
  readonly followed: string | undefined
}

/** The lines behind the matches: all of a kind are one path. */
const Wires = memo(function Wires({ part, before, followed }: WiresProps) {
  const isOnPath = (wire: ReturnType<typeof wiresOf>[number]) => plays(wire.from, followed) && plays(wire.to, followed)
  const kinds = Object.groupBy(wiresOf(part, before), (wire) =>
    isOnPath(wire) ? 'path' : wire.to.conditional ? 'dashed' : 'plain',
  )
  return (
    <svg
      className={styles.wires}
      aria-hidden="true"
      preserveAspectRatio="none"
      viewBox={`0 0 ${part.rounds.length * 100} 1000`}
    >
      {(['plain', 'dashed', 'path'] as const).map((kind) => (
        <path
          key={kind}
          className={styles[kind]}
          vectorEffect="non-scaling-stroke"
          d={(kinds[kind] ?? [])
            .map(({ column, toColumn, start, end }) => {
              const [from, to] = [column * 100 + cellEnd, toColumn * 100 + cellStart]
              return `M${from} ${start * 1_000}H${(from + to) / 2}V${end * 1_000}H${to}`
            })
            .join('')}
        />
      ))}
    </svg>
  )
})

/** Where the cell begins and ends in its column, in hundredths of the column. */
const cellStart = 15
const cellEnd = 97
