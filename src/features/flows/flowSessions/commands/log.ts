import { isDeepStrictEqual } from 'node:util'
import { commitmentOf } from '../../../../engine/flows/draws.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import type { Draft, Row } from '../../../../engine/flows/rows.ts'
import { write } from '../../../../engine/flows/writing.ts'
import { sendAlong, type Tx } from '../../../../infra/db/database.ts'
import { readShown, type Shown } from '../queries/states.ts'
import { mapResultsOf } from '../rules/map-results.ts'
import { type Followed, recordOf } from '../rules/record.ts'
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
import { tellRows, tellSpeakers } from './telling.ts'

/** A session that this transaction has locked, as its log stands. */
export interface OpenSession {
  readonly record: SessionRecord
  readonly machine: Machine
  readonly seed: Uint8Array
  /** By the clock of the database, under the lock: what is late is late on every process. */
  readonly now: Date
  /** As `isForEverybody` tells. */
  readonly isOpen: boolean
  /** For its answers, where somebody waits for one. */
  readonly shown?: Shown
}

/** Locks a session, behind its bracket where the match may change. */
export async function openSession(tx: Tx, guid: string): Promise<OpenSession | undefined> {
  // A connection runs its statements in order: what is sent behind the lock is read under it.
  const [locked, rows, standing] = await Promise.all([lockSession(tx, guid), listLog(tx, guid), findStanding(tx, guid)])
  if (locked === undefined || standing === undefined) return undefined
  return { ...locked, ...standing, machine: replay(guid, rows) }
}

/**
 * The same for whoever answers it.
 * @param found as it was found; who is named in it since is looked up then
 */
export async function openShown(tx: Tx, found: SessionRecord): Promise<OpenSession | undefined> {
  const [open, shown] = await Promise.all([openSession(tx, found.guid), readShown(tx, found)])
  return open === undefined ? undefined : { ...open, shown }
}

export interface WrittenSession extends OpenSession {
  /** What was added. */
  readonly rows: readonly Row[]
}

export interface DraftedSession extends WrittenSession {
  /** As it was without the rows. */
  readonly before: SessionRecord
}

/** Adds rows to the log, with those of the system that they make due, and everything that follows from them. */
export async function writeRows(
  tx: Tx,
  open: OpenSession,
  drafts: readonly Draft[],
  by: string | null,
): Promise<WrittenSession> {
  const written = draftRows(open, drafts, by)
  await keepRows(tx, written)
  return written
}

/** The same, without storing anything. */
export function draftRows(open: OpenSession, drafts: readonly Draft[], by: string | null): DraftedSession {
  const { seed, now, record: before } = open
  const { machine, rows } = write(open.machine, drafts, by, { seed, now: now.getTime() })
  const record = rows.length === 0 ? before : { ...before, ...recordOf(before, machine, now) }
  return { ...open, machine, rows, record, before }
}

/** Stores what `draftRows` made. */
export async function keepRows(tx: Tx, { machine, rows, record, before, isOpen }: DraftedSession): Promise<void> {
  if (rows.length === 0) return
  const takesBack = rows.some(({ kind }) => mayTakeBack.has(kind))
  sendAlong(tx, insertRows(tx, record, rows))
  if (takesBack) sendAlong(tx, markUndone(tx, record.guid, machine.rows))
  sendAlong(tx, updateSession(tx, record))
  if (before.status === 'over' || record.status === 'over') await keepResults(tx, record, machine)
  tellRows(tx, { record, isOpen, before }, rows)
  if (!isDeepStrictEqual(before.speakers, record.speakers)) tellSpeakers(tx, { record, isOpen }, rows[0]?.by ?? null)
}

/** A match has another session from now on. */
export async function retireSession(tx: Tx, record: SessionRecord): Promise<void> {
  await updateSession(tx, { ...record, isCurrent: false })
}

/** Stores a session with its first rows. */
export async function keepFirst(
  tx: Tx,
  first: Omit<WrittenSession, 'record' | 'isOpen'> & { readonly record: Omit<SessionRecord, keyof Followed> },
): Promise<WrittenSession> {
  const { machine, rows, now, seed } = first
  const record: SessionRecord = { ...first.record, ...recordOf(first.record, machine, now) }
  await insertSession(tx, record, seed)
  await insertRows(tx, record, rows)
  const isOpen = await isForEverybody(tx, record)
  tellRows(tx, { record, isOpen }, rows)
  return { ...first, record, isOpen }
}

const mayTakeBack: ReadonlySet<Row['kind']> = new Set([
  'undo',
  'override',
  'score_corrected',
  'penalty',
  'penalty_voided',
])

async function keepResults(tx: Tx, { guid, status }: SessionRecord, machine: Machine): Promise<void> {
  await replaceMapResults(tx, guid, status === 'over' ? mapResultsOf(machine) : [])
}

/** A session that goes on after its seed was published draws from a new one. */
export async function renewSeed(tx: Tx, open: OpenSession): Promise<OpenSession & { readonly commitment: string }> {
  const seed = await newSeed(tx)
  await writeSeed(tx, open.record.guid, seed)
  return { ...open, seed, commitment: commitmentOf(seed) }
}
