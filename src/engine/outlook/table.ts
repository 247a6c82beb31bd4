import type { Match, Settings, Standing, WithdrawalPolicy } from '../types.ts'
import { isOver } from '../verdict.ts'
import { canHold, canReach, mayHoldAlone, mayReachAlone } from './known-matches.ts'
import { ask, countOpen, type Ending, type Field, type Pair, type Question, type Supposition } from './question.ts'
import { isCountable, mayHold, mayReach } from './rounds-to-come.ts'
import type { Outlook, OutlookNext, OutlookRow, OutlookStatus } from './types.ts'

/** The current state of a round robin or a Swiss bracket. */
export interface TableBoard {
  readonly format: 'round_robin' | 'swiss'
  readonly settings: Pick<Settings, 'points' | 'allowDraws' | 'rounds' | 'byePoints'>
  readonly matches: readonly Match[]
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
  /** The current standings. */
  readonly standings: readonly Standing[]
}

/** The maximum number of completions that the search tries. (match-flows: Spectators, rule 3) */
export const maxCompletions = 531_441

/**
 * For each team of a table: whether it is sure of one of the first `places`, may still get one, or may not. Each group
 * has its own table. (match-flows: Spectators, rules 2 to 4)
 *
 * Clinched: in every completion at most `places` - 1 other teams have as many points or more. Eliminated: in every
 * completion at least `places` other teams have more points. So equal points decide nothing before the end; at the end
 * the ranks decide. A team whose results are void is behind all others. While an open match lacks a team, all teams of
 * its group are `alive`.
 */
export function outlookOfTable(board: TableBoard, places: number): Outlook {
  const groups = [...Map.groupBy(board.standings, ({ group }) => group).entries()]
  const outlooks = groups.map(([group, rows]) => outlookOf(board, group, rows, places))
  return { exact: outlooks.every(({ exact }) => exact), rows: outlooks.flatMap(({ rows }) => rows) }
}

interface Table {
  readonly rows: readonly Standing[]
  readonly field: Field
  /** The numbers of the matches in `field.open`, in the order of play. */
  readonly numbers: readonly number[]
}

function outlookOf(board: TableBoard, group: number | null, rows: readonly Standing[], places: number): Outlook {
  const open = board.matches
    .filter((match) => match.group === group && !isOver(match))
    .toSorted((one, other) => one.round - other.round || one.number - other.number)
  const table = tableOf(board, rows, open)
  if (table === null) return vague(board, rows, open)
  const { count, isIn } = table.field.rounds
  if (open.length === 0 && (count === 0 || !isIn.includes(true))) {
    return { exact: true, rows: rows.map((row) => rowOf(row, statusByRank(row, rows, places), null)) }
  }
  const prospectsOf = judge(table, places)
  return {
    exact: isExact(table.field),
    rows: rows.map((row, team) => {
      const { status, ...endings } = prospectsOf(team)
      const match = table.field.open.findIndex((pair) => pair.includes(team))
      return rowOf(row, status, match === -1 ? null : { match: table.numbers[match] ?? 0, ...endings })
    }),
  }
}

function rowOf({ team, group, points }: Standing, status: OutlookStatus, next: OutlookNext | null): OutlookRow {
  return { team, group, points, status, next }
}

/** null where an open match has a side without a team. */
function tableOf(
  { format, settings, matches, withdrawn }: TableBoard,
  rows: readonly Standing[],
  open: readonly Match[],
): Table | null {
  const places = new Map(rows.map(({ team }, index) => [team, index]))
  const pairs = open.map(({ sides }) => sides.map(({ team }) => places.get(team ?? '') ?? -1))
  if (pairs.flat().includes(-1)) return null
  const made = Math.max(0, ...matches.map(({ round }) => round))
  return {
    rows,
    numbers: open.map(({ number }) => number),
    field: {
      points: rows.map(({ team, points }) => (withdrawn.get(team) === 'void' ? behindEverybody : points)),
      open: pairs as unknown as readonly Pair[],
      worth: settings.points,
      allowDraws: settings.allowDraws,
      rounds: {
        count: format === 'swiss' ? Math.max(0, settings.rounds - made) : 0,
        isIn: rows.map(({ team }) => format === 'swiss' && !withdrawn.has(team)),
        byePoints: settings.byePoints,
      },
    },
  }
}

const behindEverybody = -1

/** The outlook while an open match lacks a team: every team is `alive`, and the outlook is not exact. */
function vague({ settings }: TableBoard, rows: readonly Standing[], open: readonly Match[]): Outlook {
  const ending = 'alive' as const
  const endings = { ifWin: ending, ifDraw: settings.allowDraws ? ending : null, ifLoss: ending }
  return {
    exact: false,
    rows: rows.map((row) => {
      const match = open.find(({ sides }) => sides.some(({ team }) => team === row.team))
      return rowOf(row, ending, match === undefined ? null : { match: match.number, ...endings })
    }),
  }
}

function statusByRank({ rank }: Standing, rows: readonly Standing[], places: number): OutlookStatus {
  if (rank > places) return 'eliminated'
  const sharing = rows.filter((row) => row.rank === rank).length
  return rank + sharing - 1 <= places ? 'clinched' : 'tied'
}

type Prospects = Omit<OutlookNext, 'match'> & { readonly status: OutlookStatus }

/** A method to judge a table: two questions. A "no" is always certain; a "yes" may be an estimate. */
interface Way {
  readonly canReach: (question: Question, wanted: number) => boolean
  readonly canHold: (question: Question, allowed: number) => boolean
}

function wayOf(field: Field): Way {
  if (field.rounds.count > 0) return { canReach: mayReach, canHold: mayHold }
  const isSearched = countCompletions(field) <= maxCompletions || isApart(field)
  return isSearched ? { canReach, canHold } : { canReach: mayReachAlone, canHold: mayHoldAlone }
}

function countCompletions({ open, allowDraws }: Field): number {
  return (allowDraws ? 3 : 2) ** open.length
}

/** Whether no team has more than one open match, so that a search is cheap. */
function isApart({ open, points }: Field): boolean {
  return countOpen(open, points.length).every((count) => count <= 1)
}

/** Whether every `alive` in the outlook of this table is certain. (match-flows: Spectators, rules 3 and 4) */
function isExact(field: Field): boolean {
  if (!isSwiss(field)) return countCompletions(field) <= maxCompletions
  return field.open.length === 0 && isCountable(field)
}

function isSwiss({ rounds }: Field): boolean {
  return rounds.count > 0 || rounds.isIn.includes(true)
}

function judge({ field }: Table, places: number): (team: number) => Prospects {
  const { canReach, canHold } = wayOf(field)
  const isClinched = (team: number, supposed: Supposition | null) =>
    !canReach(ask(field, team, 'loss', supposed), places)
  const isOut = (team: number, supposed: Supposition | null) => !canHold(ask(field, team, 'win', supposed), places - 1)
  const statusIf = (team: number, supposed: Supposition | null): OutlookStatus => {
    if (isClinched(team, supposed)) return 'clinched'
    return isOut(team, supposed) ? 'eliminated' : 'alive'
  }
  const prospectsOf = (team: number): Prospects => {
    const match = field.open.findIndex((pair) => pair.includes(team))
    const status = statusIf(team, null)
    const after = (ending: Ending) => (status === 'alive' && match !== -1 ? statusIf(team, { match, ending }) : status)
    return { status, ifWin: after('win'), ifDraw: field.allowDraws ? after('draw') : null, ifLoss: after('loss') }
  }
  // With rounds still to pair, or at most one open match per team, teams with equal points and equal opponents have
  // equal prospects, so these are cached.
  const isAlike = isApart(field) || field.rounds.count > 0
  return isAlike ? remembered(field, prospectsOf) : prospectsOf
}

function remembered(field: Field, prospectsOf: (team: number) => Prospects): (team: number) => Prospects {
  const known = new Map<string, Prospects>()
  const left = countOpen(field.open, field.points.length)
  const opponents = field.points.map((): string[] => [])
  for (const [first, second] of field.open) {
    opponents[first]?.push(`${field.points[second]}/${left[second]}`)
    opponents[second]?.push(`${field.points[first]}/${left[first]}`)
  }
  return (team) => {
    const kind = `${field.points[team]} ${field.rounds.isIn[team]} ${opponents[team]?.join(' ')}`
    const prospects = known.get(kind) ?? prospectsOf(team)
    known.set(kind, prospects)
    return prospects
  }
}
