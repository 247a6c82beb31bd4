import { Link } from '@tanstack/react-router'
import type { BracketOutlook, Standing } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { TeamLink } from '../parts/team.tsx'
import styles from './standings.module.css'
import { type Column, columnsOf, isAscending, type Prospects, sortedBy } from './standings-columns.ts'

interface TableProps {
  readonly title: string
  readonly standings: readonly Standing[]
  readonly tournament: string
  /** Without what decides between equals. */
  readonly isBrief?: boolean
  /** By what the table is sorted, where it can be: the name of a column, with a minus turned round. */
  readonly sorting?: { readonly by: string | undefined }
  /** Who can still get one of the places. */
  readonly outlook?: { readonly places: number; readonly of: Prospects } | undefined
}

/** A table with the values that decide between equals, and which of them decided. */
export function StandingsTable({ title, standings, tournament, isBrief = false, sorting, outlook }: TableProps) {
  const columns = columnsOf(standings).filter((column) => !isBrief || !isQuiet(column))
  const rows = sortedBy(standings, columns, sorting?.by)
  const isRanked = sorting?.by === undefined || sorting.by === 'rank'
  return (
    <Section title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too */}
      <section className="wide-content" tabIndex={0} aria-label={words('standings.table', { title })}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.key} column={column} sorting={sorting} />
              ))}
              {!isBrief && <th scope="col">{words('standings.decided')}</th>}
              {outlook !== undefined && <th scope="col">{words('outlook.head')}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr
                key={row.team.guid}
                className={isRanked && outlook !== undefined && at + 1 === outlook.places ? styles.line : ''}
              >
                {columns.map((column) => (
                  <Value key={column.key} column={column} row={row} tournament={tournament} />
                ))}
                {!isBrief && <td className="muted nowrap">{decidedOf(row)}</td>}
                {outlook !== undefined && (
                  <td>
                    <Prospect row={outlook.of.get(row.team.guid)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}

/** What parts the team from the one above it, where points do not. */
function decidedOf({ tied, decidedBy }: Standing): string {
  if (tied) return words('standings.tied')
  return decidedBy === null || decidedBy === 'points' ? '–' : words(`tie.${decidedBy}`)
}

/** A value that is asked only where points are equal. */
const isQuiet = ({ key, tieBreak }: Column) => tieBreak !== undefined && key !== 'points'
const numeric = ({ key }: Column) => key !== 'team'

function Head({ column, sorting }: { readonly column: Column; readonly sorting: TableProps['sorting'] }) {
  const className = numeric(column) ? 'n narrow' : undefined
  if (sorting === undefined)
    return (
      <th scope="col" className={className}>
        {column.name}
      </th>
    )
  const by = sorting.by ?? 'rank'
  const isSorted = by.replace(/^-/, '') === column.key
  const isTurned = by.startsWith('-')
  const direction = isTurned === isAscending(column.key) ? 'descending' : 'ascending'
  const next = isSorted && !isTurned ? `-${column.key}` : column.key
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      <Link
        to="."
        search={({ sort: _, ...others }) => (next === 'rank' ? others : { ...others, sort: next })}
        replace
        resetScroll={false}
        activeProps={{ className: '' }}
        className={`plain ${styles.sort}`}
      >
        {column.name}
        <span aria-hidden="true">{isSorted ? (direction === 'ascending' ? '↑' : '↓') : ''}</span>
      </Link>
    </th>
  )
}

function Value({
  column,
  row,
  tournament,
}: {
  readonly column: Column
  readonly row: Standing
  readonly tournament: string
}) {
  if (column.key === 'team')
    return (
      <th scope="row" className={styles.team}>
        <TeamLink team={row.team} tournament={tournament} isStrong={row.rank === 1 && !row.tied} />
      </th>
    )
  if (column.key === 'games')
    return (
      <td className="n nowrap">
        {row.gamesWon}–{row.gamesLost}
      </td>
    )
  const isDeciding = isQuiet(column) && row.decidedBy === column.tieBreak
  return (
    <td
      className={`n ${isDeciding ? styles.decided : isQuiet(column) ? 'muted' : column.key === 'points' ? 'strong' : ''}`}
    >
      {column.valueOf(row)}
      {column.key === 'rank' && row.tied && <span className="muted">=</span>}
      {isDeciding && <span className="unseen"> {words('standings.decides')}</span>}
    </td>
  )
}

const shapes = { clinched: 'done', alive: 'ready', eliminated: 'off', tied: 'waiting' } as const

/** What a team can still reach, and how its next match changes that. */
function Prospect({ row }: { readonly row: BracketOutlook['rows'][number] | undefined }) {
  if (row === undefined) return null
  const { status, next } = row
  const tells = next !== null && status === 'alive' && (next.ifWin !== 'alive' || next.ifLoss !== 'alive')
  return (
    <div className={styles.prospect}>
      <State shape={shapes[status]} {...(status !== 'clinched' && { tone: 'quiet' })}>
        {words(`outlook.${status}`)}
      </State>
      {tells && (
        <span className="muted small">
          {words('outlook.next', {
            win: words(`outlook.then-${next.ifWin}`),
            loss: words(`outlook.then-${next.ifLoss}`),
          })}
        </span>
      )}
    </div>
  )
}
