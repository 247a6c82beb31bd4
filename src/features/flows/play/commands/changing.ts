import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { Refusal } from '../../../../core/operation.ts'
import { conflict, Problem } from '../../../../core/problem.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import type { Draft, Entry, Row } from '../../../../engine/flows/rows.ts'
import type { Caller } from '../../../../engine/flows/seat-actions.ts'
import { lapseRows } from '../../../../engine/flows/system-rows.ts'
import { isSameDecision } from '../../../../engine/propagation.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { unknownMatch } from '../../../brackets/matches/rules.ts'
import { findMatch } from '../../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { type Author, consider, finish, type OpenMatch, openMatch } from '../../../brackets/results/commands/play.ts'
import { mayReferee } from '../../../tournaments/access/policy.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import {
  draftRows,
  type OpenSession,
  openShown,
  saveRows,
  type WrittenSession,
  writeRows,
} from '../../flowSessions/commands/log.ts'
import { readState } from '../../flowSessions/queries.ts'
import { unknownSession } from '../../flowSessions/resolve.ts'
import { matchOf } from '../../flowSessions/rules/games.ts'
import type { SessionRecord } from '../../flowSessions/types.ts'
import type { StateView } from '../../flowSessions/views/state.ts'
import { checkLogRoom } from '../rules.ts'

/** The steps of every change of a session. (match-flows: Operations) */

export interface Target {
  readonly tournament: Tournament
  /** The session as it was found before the lock; the change is checked against the locked session. */
  readonly session: SessionRecord
}

export interface Change {
  /** The last position that the caller has seen. */
  readonly expect?: number | undefined
  /** Whether the change may make a map final, so that the bracket must be locked first. */
  readonly mayEndMap: boolean
  /**
   * Returns the rows to write; none if the change is known already.
   * @param open the locked session
   */
  readonly judge: (open: OpenSession, caller: Caller) => Promise<readonly Draft[]> | readonly Draft[]
}

/**
 * Makes a change and returns the state.
 * @throws Problem `tournament.cancelled`, `flow.session_unknown`, `flow.moved`, `flow.limit_reached`, and the refusals
 * of `judge`, with the state
 */
export async function changeSession(
  tx: Tx,
  actor: SignedIn,
  { tournament, session }: Target,
  change: Change,
  now: Date,
): Promise<StateView | Refusal> {
  const { match, seen, open } = await openBoth(tx, actor, { tournament, session }, change.mayEndMap, now)
  if (await isRepeated(open, actor, change)) return answer(tx, actor, open)
  // Keep the position, since writing the lapse changes `open.machine` in place.
  const { position } = open.machine
  const late = await writeLapse(tx, tournament, open, match)
  if (late !== null) return refusedByTime(tx, actor, late, position, change.expect)
  return withState(tx, actor, open, async () => {
    checkPosition(open.machine, change.expect)
    const drafts = await change.judge(open, callerOf(actor))
    if (drafts.length === 0) return answer(tx, actor, open)
    if (drafts[0]?.kind !== 'finish') checkLogRoom(position, mayReferee(actor))
    const written = draftRows(open, drafts, actor.guid)
    // The answer is built while the database saves the rows.
    const kept = saveRows(tx, written).then(() => syncMatch(tx, actor, tournament, written, match, seen))
    tx.session.flush()
    const [state] = await Promise.all([answer(tx, actor, written), kept])
    return state
  })
}

interface Opened {
  /** The locked match; null if it was not locked. */
  readonly match: OpenMatch | null
  /** The match, locked or not; undefined for a free session. */
  readonly seen: MatchRecord | undefined
  readonly open: OpenSession
}

/** Locks a session; if its match may change, locks the match first. A conflict is answered with the state. */
export async function openBoth(
  tx: Tx,
  actor: SignedIn,
  { tournament, session }: Target,
  mayEndMap: boolean,
  now: Date,
): Promise<Opened> {
  try {
    const match = await openMatchOf(tx, actor, tournament, session, mayEndMap, now)
    const isReadAlone = match === null && session.matchGuid !== null
    const [open, found] = await Promise.all([
      openOf(tx, session),
      isReadAlone ? findMatch(tx, session.matchGuid) : undefined,
    ])
    return { match, seen: match?.match ?? found, open }
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error
    return withState(tx, actor, await openOf(tx, session), () => Promise.reject(error))
  }
}

/** The state as the caller sees it. */
export async function answer(tx: Tx, actor: SignedIn, open: OpenSession): Promise<StateView> {
  return readState(tx, open, actor, open.now)
}

export function callerOf(actor: SignedIn): Caller {
  return { user: actor.guid, isReferee: mayReferee(actor) }
}

async function openOf(tx: Tx, session: SessionRecord): Promise<OpenSession> {
  const open = await openShown(tx, session)
  if (open === undefined) throw unknownSession()
  return open
}

/** Locks the bracket of a session's match. Call before the session is locked. */
export async function openMatchOf(
  tx: Tx,
  author: Author,
  tournament: Tournament,
  { matchGuid }: Pick<SessionRecord, 'matchGuid'>,
  isNeeded: boolean,
  now: Date,
): Promise<OpenMatch | null> {
  checkNotCancelled(tournament)
  if (matchGuid === null || !isNeeded) return null
  const found = await findMatch(tx, matchGuid)
  if (found === undefined) throw unknownMatch()
  return openMatch(tx, author, tournament, found, now)
}

/** Writes the lapse of a clock whose time was over before the caller acted. Returns null if there is none. */
export async function writeLapse(
  tx: Tx,
  tournament: Tournament,
  open: OpenSession,
  match: OpenMatch | null,
): Promise<WrittenSession | null> {
  const rows = lapseRows(open.machine, open.now.getTime())
  if (rows.length === 0) return null
  const written = await writeRows(tx, open, rows, null)
  await syncMatch(tx, { guid: null }, tournament, written, match)
  return written
}

/**
 * The refusal after a lapse: `flow.moved` if the caller had not seen the position before the lapse, otherwise
 * `flow.time_over`.
 */
export async function refusedByTime(
  tx: Tx,
  actor: SignedIn,
  written: OpenSession,
  position: number,
  expect: number | undefined,
): Promise<Refusal> {
  const state = await answer(tx, actor, written)
  const refusal =
    expect === undefined || expect === position
      ? conflict('flow.time_over', 'The time for this step is over.', { state })
      : conflict('flow.moved', moved, { state })
  // A returned refusal, unlike a thrown problem, lets the transaction commit, so the lapse stays in the log.
  return new Refusal(refusal)
}

const moved = 'The session has gone on since this position; look at it again.'

/** @throws Problem `flow.moved` */
export function checkPosition({ position }: Machine, expect: number | undefined): void {
  if (expect !== undefined && expect !== position) throw conflict('flow.moved', moved)
}

/**
 * Whether the row after the expected position is the same act of the same caller, so that the request is a repetition.
 * (match-flows: Operations)
 */
export async function isRepeated(
  open: OpenSession,
  actor: SignedIn,
  change: Pick<Change, 'expect' | 'judge'>,
): Promise<boolean> {
  const [draft, another] = await draftsOrNone(open, actor, change)
  if (change.expect === undefined || draft === undefined || another !== undefined) return false
  const row = open.machine.rows[change.expect]
  return row !== undefined && isSameAct(row, draft)
}

/**
 * The rows that the act would have been after the expected position; none if the row at that place is another caller's.
 */
async function draftsOrNone(
  open: OpenSession,
  actor: SignedIn,
  { expect, judge }: Pick<Change, 'expect' | 'judge'>,
): Promise<readonly Draft[]> {
  if (expect === undefined || expect >= open.machine.position) return []
  const earlier = open.machine.rows.filter(({ position }) => position <= expect)
  const next = open.machine.rows[expect]
  if (earlier.length === 0 || next?.by !== actor.guid) return []
  try {
    const machine = replay(open.machine.session, earlier, open.machine.drawnAs)
    return await judge({ ...open, machine, now: new Date(next.at) }, callerOf(actor))
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

/** Compares an act with a row, except for GUIDs, which are new each time. */
function isSameAct(row: Row, draft: Draft): boolean {
  const { kind, data, seat = null, map = null } = draft
  const [added, again] = [addedMap(row), addedMap(draft)]
  if (added !== null && again !== null) return isDeepStrictEqual(added, again)
  return row.kind === kind && row.seat === seat && row.map === map && isDeepStrictEqual(bare(row.data), bare(data))
}

/**
 * The map that an entry adds to the pool; null for other entries. Only its identity counts, since the rest is looked up
 * each time.
 */
function addedMap(entry: Entry): object | null {
  if (entry.kind !== 'override' || entry.data.op !== 'add_map') return null
  const { hash, difficulty, characteristic } = entry.data.entry.map
  return { hash, difficulty, characteristic, reason: entry.data.reason }
}

/** Removes the values that are assigned on writing: GUIDs, the correction, and the dropped maps. */
function bare(data: object): unknown {
  return JSON.parse(JSON.stringify(data, (name, value: unknown) => (given.has(name) ? undefined : value)))
}

const given: ReadonlySet<string> = new Set(['guid', 'correction', 'dropped'])

/** Adds the current state of the session to a conflict. */
export async function withState<T>(tx: Tx, actor: SignedIn, open: OpenSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error
    throw conflict(error.code, error.message, { ...error.data, state: await answer(tx, actor, open) })
  }
}

/**
 * Makes the match agree with the log: its games, and its result if the games do not decide it. (match-flows: Who wins a
 * map, and the match)
 */
export async function syncMatch(
  tx: Tx,
  author: Author,
  tournament: Tournament,
  { record, machine, now }: OpenSession,
  opened: OpenMatch | null,
  seen = opened?.match,
): Promise<void> {
  if (record.matchGuid === null || isReported(machine)) return
  const found = seen ?? (await findMatch(tx, record.matchGuid))
  if (found === undefined || agrees(machine, found)) return
  // A choice may end a map, which is rare. The bracket is then locked after the session; if that causes a deadlock, one
  // of the two transactions is retried.
  const open = opened ?? (await openMatch(tx, author, tournament, found, now))
  const wanted = matchOf(machine, open.match.games)
  const considered = await consider(tx, open, { kind: 'games', match: open.match.number, ...wanted })
  const type = wanted.games.length < open.match.games.length ? 'match.game_removed' : 'match.game_reported'
  await finish(tx, author, open, considered, type, now, record.guid)
}

/** Whether the end was reported for the match itself, or the session ended without a result. */
function isReported({ ending }: Machine): boolean {
  return ending !== null && ending.by !== 'play' && ending.by !== 'forfeit'
}

function agrees(machine: Machine, { games, decision, status }: MatchRecord): boolean {
  const wanted = matchOf(machine, games)
  const isAsOver = (machine.ending !== null) === (status === 'completed')
  return isAsOver && isDeepStrictEqual(wanted.games, games) && isSameDecision(wanted.decision, decision)
}
