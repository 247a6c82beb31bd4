import { isDeepStrictEqual } from 'node:util'
import { commitmentOf } from '../../../../engine/flows/draws.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { append, replay } from '../../../../engine/flows/replay.ts'
import { type Row, undoneBy } from '../../../../engine/flows/rows.ts'
import { statusOf } from '../../../../engine/flows/state.ts'
import { dueRow } from '../../../../engine/flows/system-rows.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { followingRow } from '../../../flows/flowSessions/rules/following.ts'
import { drawnAsOf } from '../../../flows/flowSessions/rules/record.ts'
import type { LoggedRow } from '../../../flows/flowSessions/store/rows.ts'
import type { SessionRecord } from '../../../flows/flowSessions/types.ts'
import type { Lie } from './lies.ts'

/** The state of a session, the draws in it and the games of its match follow from the session's log. (P6) */

export interface LoggedSession {
  readonly record: SessionRecord
  readonly seed: Uint8Array
  readonly rows: readonly LoggedRow[]
  /** null for a session without a match. */
  readonly match: MatchRecord | null
}

/**
 * The most rows that are applied again to check the draws of all sessions. A log is computed anew for the first draw
 * after each row that takes others back; usual logs need some hundreds of rows for that.
 */
export const mostApplied = 5_000_000

/** Counts down the work that an import may still do. */
export interface Budget {
  left: number
}

export function logLie(session: LoggedSession, budget: Budget): Lie | null {
  const { record, rows } = session
  const gap = rows.findIndex(({ position }, index) => position !== index + 1)
  if (gap !== -1) return ofRow(record, rows[gap] as LoggedRow, 'position', `must be ${gap + 1}`)
  if (rows[0]?.kind !== 'start') return ofSession(record, 'position', 'has no log that begins with "start"')
  const undone = undoneBy(rows)
  const marked = rows.find((row) => row.undoneBy !== (undone.get(row.position) ?? null))
  if (marked !== undefined) return ofRow(record, marked, 'undoneBy', `must be ${undone.get(marked.position) ?? null}`)
  try {
    const log = rows.map(({ undoneBy: _mark, ...row }) => row as Row)
    return stateLie(session, replay(record.guid, log)) ?? seedLie(session) ?? drawLie(session, log, budget)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return ofSession(record, 'position', 'has rows that are no log of a session')
  }
}

const ofSession = ({ guid }: SessionRecord, member: string, words: string): Lie => ({
  kind: 'sessions',
  member,
  of: { guid },
  words,
})

const ofRow = ({ guid }: SessionRecord, { position }: Pick<Row, 'position'>, member: string, words: string): Lie => ({
  kind: 'sessionRows',
  member,
  of: { sessionGuid: guid, position },
  words,
})

function stateLie({ record, rows, match }: LoggedSession, machine: Machine): Lie | null {
  const status = statusOf(machine)
  if (status !== 'over' && status !== 'void') return ofSession(record, 'sealed', 'must be true, by the log')
  if (record.status !== status) return ofSession(record, 'status', `must be "${status}"`)
  if (record.position !== rows.length) return ofSession(record, 'position', `must be ${rows.length}`)
  if (record.viewDelaySeconds === 0 && record.shownPosition !== rows.length) {
    return ofSession(record, 'shownPosition', `must be ${rows.length}`)
  }
  const teams = record.matchGuid === null ? [] : machine.start.teams.flatMap(({ team }) => team ?? [])
  if (!isDeepStrictEqual(record.teamGuids, teams)) {
    return ofSession(record, 'teamGuids', 'must be the teams that the log of a match begins with')
  }
  if (record.endedAt === null) return ofSession(record, 'endedAt', 'must be a time')
  if (match === null || !record.isCurrent) return null
  const next = followingRow(record, machine, match, { by: null })
  return next === null
    ? null
    : ofSession(record, 'matchGuid', `has a log that does not agree with the match (${next.kind})`)
}

type Committed = Extract<Row, { kind: 'start' | 'reopened' }>

const isCommitted = (row: Row): row is Committed => row.kind === 'start' || row.kind === 'reopened'

/** Each seed is committed to before it draws anything, and is published at the end. */
function seedLie({ record, rows, seed }: LoggedSession): Lie | null {
  let commitment = ''
  for (const row of rows) {
    if (isCommitted(row)) commitment = row.data.commitment
    if (row.kind === 'reveal' && commitmentOf(Buffer.from(row.data.seed, 'hex')) !== commitment) {
      return ofRow(record, row, 'data', 'has a seed that the log did not commit to')
    }
  }
  return commitmentOf(seed) === commitment ? null : ofSession(record, 'seed', 'is not what the log committed to')
}

/** Makes each draw of the service again, at its place in the log. */
function drawLie({ record, rows, seed }: LoggedSession, log: readonly Row[], budget: Budget): Lie | null {
  const seeds = new Map([[commitmentOf(seed), seed]])
  for (const row of rows) {
    if (row.kind !== 'reveal') continue
    const revealed = Buffer.from(row.data.seed, 'hex')
    seeds.set(commitmentOf(revealed), revealed)
  }
  let machine: Machine | null = null
  let commitment = ''
  for (const [index, row] of log.entries()) {
    if (isCommitted(row)) commitment = row.data.commitment
    if (index > 0 && isDrawn(row)) {
      budget.left -= machine === null ? index : 0
      if (budget.left < 0)
        return ofRow(record, row, 'data', 'is one of too many draws after rows that take others back')
      machine ??= replay(record.guid, log.slice(0, index), drawnAsOf(record))
      const by = seeds.get(commitment)
      if (by === undefined || !isAsDue(machine, row, by)) return ofRow(record, row, 'data', 'is not what was drawn')
    }
    // Most logs draw little and take nothing back: rows are applied only where a draw has needed the state.
    machine = machine === null || takesBack(row) ? null : append(machine, row)
  }
  return null
}

const takesBack = ({ kind }: Row) =>
  kind === 'undo' || kind === 'override' || kind === 'score_corrected' || kind.startsWith('penalty')

const isDrawn = (row: Row): boolean => row.by === null && 'draw' in row.data && row.data.draw !== undefined

function isAsDue(machine: Machine, row: Row, seed: Uint8Array): boolean {
  const due = dueRow(machine, seed)
  const said = ({ kind, map = null, data }: Pick<Row, 'kind' | 'data'> & { readonly map?: string | null }) => ({
    kind,
    map,
    data: JSON.parse(JSON.stringify(data)),
  })
  return due !== null && isDeepStrictEqual(said(due), said(row))
}
