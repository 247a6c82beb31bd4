import type { BracketOutlook, Standing } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import type { CsvCell } from '../parts/csv.ts'

/** The columns of a table of standings, on the page and in files. */

type TieBreak = Standing['tieBreaks'][number]['name']

export interface Column {
  /** What the address calls it when the table is sorted by it. */
  readonly key: string
  readonly name: string
  readonly valueOf: (row: Standing) => number | string
  /** The criterion that it shows the values of. */
  readonly tieBreak?: TieBreak
}

export function columnsOf(standings: readonly Standing[]): readonly Column[] {
  const tieBreaks = standings[0]?.tieBreaks.map(({ name }) => name) ?? []
  const number = (key: 'played' | 'won' | 'drawn' | 'lost'): Column => ({
    key,
    name: words(`standings.${key}`),
    valueOf: (row) => row[key],
  })
  return [
    { key: 'rank', name: words('standings.rank'), valueOf: ({ rank }) => rank },
    { key: 'team', name: words('standings.team'), valueOf: ({ team }) => team.name },
    number('played'),
    number('won'),
    ...(standings.some(({ drawn }) => drawn > 0) ? [number('drawn')] : []),
    number('lost'),
    { key: 'games', name: words('standings.games'), valueOf: ({ gamesWon, gamesLost }) => gamesWon - gamesLost },
    { key: 'points', name: words('standings.points'), valueOf: ({ points }) => points, tieBreak: 'points' },
    ...tieBreaks.map(
      (name): Column => ({
        key: name,
        name: words(`tie.${name}`),
        valueOf: (row) => row.tieBreaks.find((each) => each.name === name)?.value ?? 0,
        tieBreak: name,
      }),
    ),
  ]
}

/** Places and names begin with the first, numbers with the largest; a minus turns them round. */
export function sortedBy(
  standings: readonly Standing[],
  columns: readonly Column[],
  sort: string | undefined,
): readonly Standing[] {
  const column = columns.find(({ key }) => key === sort?.replace(/^-/, ''))
  if (column === undefined) return standings
  const turn = sort?.startsWith('-') === isAscending(column.key) ? -1 : 1
  return standings.toSorted((one, other) => {
    const [first, second] = [column.valueOf(one), column.valueOf(other)]
    const order = typeof first === 'string' ? first.localeCompare(String(second)) : first - Number(second)
    return turn * order
  })
}

export const isAscending = (key: string): boolean => key === 'rank' || key === 'team'

export type Prospects = ReadonlyMap<string, BracketOutlook['rows'][number]>

export const prospectsOf = (outlook: BracketOutlook | undefined): Prospects | undefined =>
  outlook && new Map(outlook.rows.map((row) => [row.team.guid, row]))

/** The whole table as a file has it. */
export function csvOf(
  standings: readonly Standing[],
  prospects: Prospects | undefined,
  groupName: (group: number) => string,
): readonly (readonly CsvCell[])[] {
  const columns = columnsOf(standings)
  const hasGroups = standings.some(({ groupIndex }) => groupIndex !== null)
  const head = [
    ...(hasGroups ? [words('standings.group-head')] : []),
    ...columns.flatMap(({ key, name }) =>
      key === 'games' ? [words('standings.games-won'), words('standings.games-lost')] : [name],
    ),
    words('standings.decided'),
    ...(prospects === undefined ? [] : [words('outlook.head')]),
  ]
  return [
    head,
    ...standings.map((row) => [
      ...(hasGroups ? [row.groupIndex === null ? '' : groupName(row.groupIndex)] : []),
      ...columns.flatMap((column) => (column.key === 'games' ? [row.gamesWon, row.gamesLost] : [column.valueOf(row)])),
      row.decidedBy === null ? '' : words(`tie.${row.decidedBy}`),
      ...(prospects === undefined ? [] : [statusOf(prospects.get(row.team.guid))]),
    ]),
  ]
}

export const statusOf = (row: BracketOutlook['rows'][number] | undefined): string =>
  row === undefined ? '' : words(`outlook.${row.status}`)
