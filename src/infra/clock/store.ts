import { sql } from 'drizzle-orm'
import type { Clock } from '../../core/clock.ts'
import { type Db, sendAlong, statement, type Tx } from '../db/database.ts'

/** Clocks of rehearsals, as the database has them. (R2) */

const clock = statement('clock.of_rehearsal', (orm) =>
  orm
    .select({
      instant: sql<Date>`c.instant`.mapWith((at: string) => new Date(at)),
      pace: sql<number>`c.pace`,
    })
    .from(sql`rehearsal_clock(${sql.placeholder('tournament')}::uuid) c`),
)

/** The clock of a rehearsal; undefined if it was deleted meanwhile. */
export async function findClock(db: Db, tournament: string): Promise<Clock | undefined> {
  const [row] = await clock(db, { tournament })
  return row === undefined ? undefined : { ...row, readAt: new Date() }
}

/** An event changed a rehearsal's clock: what was read by the instant may be another now. */
export const clockTag = (tournament: string): string => `clock ${tournament}`

/** Where a transaction works: in a rehearsal. */
export interface Place {
  /** GUID of the rehearsal. */
  readonly tournament: string
  /** By its clock, when the work began. */
  readonly instant: Date
  /** Whether all of the work is of this instant, since it was due then, wherever the clock is now. */
  readonly isFixed: boolean
  /** Whether simulated players do it, which the log of events then says. (R4) */
  readonly isSimulated?: boolean
}

const placeNote = Symbol('place')

/** Where a transaction works; null for all that work in the real tournaments. */
export function placeOf({ session }: Db): Place | null {
  return (session.notes?.get(placeNote) as Place | undefined) ?? null
}

/** Whether a transaction works in a rehearsal, in SQL. */
export const isRehearsed = sql`coalesce(current_setting('downbeat.rehearsal', true), '') <> ''`

const work = `select set_config('downbeat.rehearsal', $1, true), set_config('downbeat.began', $2, true),
  set_config('downbeat.now', $3, true), set_config('downbeat.simulated', $4, true)`

/**
 * Has a transaction work in a rehearsal: what the database itself dates has instants of its clock, and only what is due
 * there is found. All others work in the real tournaments. It is sent at once, before any statement that follows. (R2)
 */
export async function workAt({ session }: Db, place: Place): Promise<void> {
  const { tournament, instant, isFixed, isSimulated = false } = place
  if (session.notes === undefined) throw new Error('only a transaction works in a place')
  session.notes.set(placeNote, place)
  const began = instant.toISOString()
  await session.client.query(work, [tournament, began, isFixed ? began : '', isSimulated ? 'on' : ''])
}

/** The same without waiting for it. */
export function workAtFirst(tx: Tx, place: Place): void {
  sendAlong(tx, workAt(tx, place))
}
