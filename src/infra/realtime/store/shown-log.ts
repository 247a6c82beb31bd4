import { and, asc, desc, eq, gt, isNull, lte, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database.ts'
import { eventLog } from '../../events/tables.ts'
import { heldEvents } from '../../held/tables.ts'
import type { Sought, TouchingEvent } from '../durable/facts.ts'
import type { HeldEvent } from '../durable/step-events.ts'
import { asTouching, columns, isSought } from './log.ts'

/**
 * The event log as outsiders of held tournaments learn of it: an event that was held comes with the event that showed
 * it. (V2)
 */

/** Where in this order an event is. */
export interface Place {
  /** Number of the event that showed it; its own where it was not held. */
  readonly at: number
  readonly seq: number
}

interface Shown extends Place {
  readonly event: TouchingEvent
}

/** Events that are held after `after`, or were shown after it. */
export async function listHeldEvents(db: Db, after: number): Promise<HeldEvent[]> {
  const rows = await db.session.orm
    .select({ ...columns, heldIn: heldEvents.tournamentGuid, shownBy: heldEvents.shownBy })
    .from(heldEvents)
    .innerJoin(eventLog, eq(eventLog.seq, heldEvents.seq))
    .where(or(gt(heldEvents.seq, after), gt(heldEvents.shownBy, after)))
  return rows.map(({ heldIn, shownBy, ...row }) => ({ event: asTouching(row), tournament: heldIn, shownBy }))
}

/**
 * Where an event is in the order of an audience.
 * @returns null where it is held from the audience
 */
export async function findPlace(db: Db, seq: number, inside: readonly string[]): Promise<Place | null> {
  const holds = await db.session.orm
    .select({ shownBy: heldEvents.shownBy })
    .from(heldEvents)
    .where(and(eq(heldEvents.seq, seq), isOutside(inside)))
  if (holds.some(({ shownBy }) => shownBy === null)) return null
  return { at: Math.max(seq, ...holds.map(({ shownBy }) => shownBy ?? 0)), seq }
}

/** Whether events of a tournament before an event were shown only after it. */
export async function wereShownLater(db: Db, tournament: string, seq: number): Promise<boolean> {
  const rows = await db.session.orm
    .select({ seq: heldEvents.seq })
    .from(heldEvents)
    .where(and(eq(heldEvents.tournamentGuid, tournament), lte(heldEvents.seq, seq), gt(heldEvents.shownBy, seq)))
    .limit(1)
  return rows.length > 0
}

/** As `listMissed`, in the order of an audience. */
export async function listMissedShown(
  db: Db,
  sought: Sought,
  { after, upTo, most }: { readonly after: Place; readonly upTo: number; readonly most: number },
): Promise<TouchingEvent[] | null> {
  const isMissed = or(
    gt(heldEvents.shownBy, after.at),
    and(eq(heldEvents.shownBy, after.at), gt(heldEvents.seq, after.seq)),
  )
  const [open, held] = await Promise.all([
    listOpen(db, sought, gt(eventLog.seq, after.at), { upTo, limit: most + 1, order: asc }),
    listHeld(db, sought, isMissed, { upTo, limit: most + 1, order: asc }),
  ])
  const all = [...open, ...held]
  return all.length > most ? null : all.sort(byPlace).map(({ event }) => event)
}

/** As `listLatest`, in the order of an audience, newest first. */
export async function listLatestShown(db: Db, sought: Sought, upTo: number, limit: number): Promise<TouchingEvent[]> {
  const [open, held] = await Promise.all([
    listOpen(db, sought, undefined, { upTo, limit, order: desc }),
    listHeld(db, sought, undefined, { upTo, limit, order: desc }),
  ])
  const newest = [...open, ...held].sort(byPlace).reverse().slice(0, limit)
  return newest.map(({ event }) => event)
}

interface Bounds {
  readonly upTo: number
  readonly limit: number
  readonly order: typeof asc
}

async function listOpen(
  db: Db,
  sought: Sought,
  condition: SQL | undefined,
  { upTo, limit, order }: Bounds,
): Promise<Shown[]> {
  const hold = db.session.orm
    .select({ seq: heldEvents.seq })
    .from(heldEvents)
    .where(and(eq(heldEvents.seq, eventLog.seq), isOutside(sought.inside ?? [])))
  const rows = await db.session.orm
    .select(columns)
    .from(eventLog)
    .where(and(isSought(sought), lte(eventLog.seq, upTo), condition, notExists(hold)))
    .orderBy(order(eventLog.seq))
    .limit(limit)
  return rows.map((row) => ({ event: asTouching(row), at: row.seq, seq: row.seq }))
}

/** An event that several tournaments held is shown with the last of them. */
async function listHeld(
  db: Db,
  sought: Sought,
  condition: SQL | undefined,
  { upTo, limit, order }: Bounds,
): Promise<Shown[]> {
  const others = alias(heldEvents, 'others')
  const isLater = or(
    isNull(others.shownBy),
    gt(others.shownBy, heldEvents.shownBy),
    and(eq(others.shownBy, heldEvents.shownBy), gt(others.tournamentGuid, heldEvents.tournamentGuid)),
  )
  const later = db.session.orm
    .select({ seq: others.seq })
    .from(others)
    .where(and(eq(others.seq, heldEvents.seq), notInArrayOf(others.tournamentGuid, sought.inside ?? []), isLater))
  const rows = await db.session.orm
    .select({ ...columns, place: sql<number>`${heldEvents.shownBy}`.mapWith(Number) })
    .from(heldEvents)
    .innerJoin(eventLog, eq(eventLog.seq, heldEvents.seq))
    .where(
      and(isSought(sought), lte(heldEvents.shownBy, upTo), condition, isOutside(sought.inside ?? []), notExists(later)),
    )
    .orderBy(order(heldEvents.shownBy), order(heldEvents.seq))
    .limit(limit)
  return rows.map(({ place, ...row }) => ({ event: asTouching(row), at: place, seq: row.seq }))
}

function isOutside(inside: readonly string[]) {
  return notInArrayOf(heldEvents.tournamentGuid, inside)
}

function notInArrayOf(column: PgColumn, inside: readonly string[]): SQL | undefined {
  return inside.length === 0 ? undefined : notInArray(column, [...inside])
}

function byPlace(one: Place, other: Place): number {
  return one.at - other.at || one.seq - other.seq
}
