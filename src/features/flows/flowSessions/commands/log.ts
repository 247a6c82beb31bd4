import { isDeepStrictEqual } from 'node:util'
import { commitmentOf } from '../../../../engine/flows/draws.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import { write } from '../../../../engine/flows/row-writer.ts'
import type { Draft, Row } from '../../../../engine/flows/rows.ts'
import { sendAlong, type Tx } from '../../../../infra/db/database.ts'
import { readShown, type Shown } from '../queries.ts'
import { mapResultsOf } from '../rules/map-results.ts'
import { drawnAsOf, type Followed, recordOf } from '../rules/record.ts'
import { newSeed } from '../store/clocks.ts'
import { replaceMapResults } from '../store/map-results.ts'
import { insertRows, listLog, markUndone } from '../store/rows.ts'
import {
  findStanding,
  insertSession,
  isForEverybody,
  lockSession,
  updateSession,
  writeSeed,
} from '../store/sessions.ts'
import type { SessionRecord } from '../types.ts'
import { emitRows, emitSpeakers } from './session-events.ts'

/** A session that this transaction has locked, and the state of its log. */
export interface OpenSession {
  readonly record: SessionRecord
  readonly machine: Machine
  readonly seed: Uint8Array
  /** The database's time, read under the lock, so that every process judges lateness by the same clock. */
  readonly now: Date
  /** Whether everybody may see the session's pool, as `isForEverybody` returns. */
  readonly isOpen: boolean
  /** The users and teams that the answer shows; left out if there is no answer. */
  readonly shown?: Shown
}

/** Locks a session. If its match may change, lock the bracket first. */
export async function openSession(tx: Tx, guid: string): Promise<OpenSession | undefined> {
  // A connection runs its statements in order, so the queries sent after the lock run while it is held.
  const [locked, rows, standing] = await Promise.all([lockSession(tx, guid), listLog(tx, guid), findStanding(tx, guid)])
  if (locked === undefined || standing === undefined) return undefined
  return { ...locked, ...standing, machine: replay(guid, rows, drawnAsOf(locked.record)) }
}

/**
 * Locks a session and reads what its answer shows.
 * @param found the session before the lock; users that it does not name yet are read later
 */
export async function openShown(tx: Tx, found: SessionRecord): Promise<OpenSession | undefined> {
  const [open, shown] = await Promise.all([openSession(tx, found.guid), readShown(tx, found)])
  return open === undefined ? undefined : { ...open, shown }
}

export interface WrittenSession extends OpenSession {
  /** The added rows. */
  readonly rows: readonly Row[]
}

export interface DraftedSession extends WrittenSession {
  /** The session before the rows were added. */
  readonly before: SessionRecord
}

/** Adds rows to the log, and the system's rows that follow from them, and saves everything that depends on them. */
export async function writeRows(
  tx: Tx,
  open: OpenSession,
  drafts: readonly Draft[],
  by: string | null,
): Promise<WrittenSession> {
  const written = draftRows(open, drafts, by)
  await saveRows(tx, written)
  return written
}

/** Computes the new rows and the changed record without saving them. */
export function draftRows(open: OpenSession, drafts: readonly Draft[], by: string | null): DraftedSession {
  const { seed, now, record: before } = open
  const { machine, rows } = write(open.machine, drafts, by, { seed, now: now.getTime() })
  const record = rows.length === 0 ? before : { ...before, ...recordOf(before, machine, now) }
  return { ...open, machine, rows, record, before }
}

/** Saves what `draftRows` computed. */
export async function saveRows(tx: Tx, { machine, rows, record, before, isOpen }: DraftedSession): Promise<void> {
  if (rows.length === 0) return
  const takesBack = rows.some(({ kind }) => mayTakeBack.has(kind))
  sendAlong(tx, insertRows(tx, record, rows))
  if (takesBack) sendAlong(tx, markUndone(tx, record.guid, machine.rows))
  sendAlong(tx, updateSession(tx, record))
  if (before.status === 'over' || record.status === 'over') await saveMapResults(tx, record, machine)
  emitRows(tx, { record, isOpen, before }, rows)
  if (!isDeepStrictEqual(before.speakers, record.speakers)) emitSpeakers(tx, { record, isOpen }, rows[0]?.by ?? null)
}

/** Marks a session as no longer the current one of its match. */
export async function retireSession(tx: Tx, record: SessionRecord): Promise<void> {
  await updateSession(tx, { ...record, isCurrent: false })
}

/** Inserts a session with its first rows. */
export async function insertSessionWithRows(
  tx: Tx,
  first: Omit<WrittenSession, 'record' | 'isOpen'> & { readonly record: Omit<SessionRecord, keyof Followed> },
): Promise<WrittenSession> {
  const { machine, rows, now, seed } = first
  const record: SessionRecord = { ...first.record, ...recordOf(first.record, machine, now) }
  await insertSession(tx, record, seed)
  await insertRows(tx, record, rows)
  const isOpen = await isForEverybody(tx, record)
  emitRows(tx, { record, isOpen }, rows)
  return { ...first, record, isOpen }
}

const mayTakeBack: ReadonlySet<Row['kind']> = new Set([
  'undo',
  'override',
  'score_corrected',
  'penalty',
  'penalty_voided',
])

async function saveMapResults(tx: Tx, { guid, status }: SessionRecord, machine: Machine): Promise<void> {
  await replaceMapResults(tx, guid, status === 'over' ? mapResultsOf(machine) : [])
}

/** Gives a reopened session a new seed, since its old seed was published. */
export async function renewSeed(tx: Tx, open: OpenSession): Promise<OpenSession & { readonly commitment: string }> {
  const { seed } = await newSeed(tx, open.record)
  await writeSeed(tx, open.record.guid, seed)
  return { ...open, seed, commitment: commitmentOf(seed) }
}
