import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { EventType } from '../../core/events.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Job } from '../jobs/jobs.ts'
import { eventLog, followers } from './tables.ts'

/**
 * How long the log keeps events (ADR-13): those of a tournament until a week after its deletion, because they are its
 * audit list; others for three months. Events that a follower has not handled are never deleted, and neither is the
 * newest event, which holds the last number given.
 */
const day = 86_400_000
const outsideMs = 90 * day
const endedMs = 7 * day

/** The event that deletes a tournament. */
const ending = 'tournament.deleted' satisfies EventType

const batch = 1_000
const maxEnded = 100
/** A stop of the service waits for the run, so it is short; the rest waits for the next run. */
const maxRunMs = 5_000

/**
 * @param names of all followers; directly after the first start none has a position yet, and there are no old events
 *   either
 */
export function sweepOfEvents(names: readonly string[]): Job {
  return {
    name: 'events.sweep',
    cron: '43 * * * *',
    async run(_payload, { database, now }) {
      const until = now().getTime() + maxRunMs
      const upTo = Math.min(await findHandledByAll(database.db, names), (await findNewest(database.db)) - 1)
      const repeat = async (remove: (tx: Tx) => Promise<number>) => {
        for (let removed = batch; removed === batch && now().getTime() < until; ) {
          removed = await database.transaction(remove)
        }
      }
      const before = (ms: number) => new Date(now().getTime() - ms)
      await repeat((tx) => deleteOutside(tx, before(outsideMs), upTo))
      for (const tournament of await listEnded(database.db, before(endedMs), upTo)) {
        await repeat((tx) => deleteEnded(tx, tournament, upTo))
      }
    },
  }
}

/** Number of the last event that all followers have handled. */
async function findHandledByAll(db: Db, names: readonly string[]): Promise<number> {
  const rows = await db.session.orm
    .select()
    .from(followers)
    .where(sql`${followers.name} = any(${sql.param(names)}::text[])`)
  return rows.length < names.length ? 0 : Math.min(Number.MAX_SAFE_INTEGER, ...rows.map(({ position }) => position))
}

async function findNewest(db: Db): Promise<number> {
  const [row] = await db.session.orm.select({ seq: sql<string | null>`max(${eventLog.seq})` }).from(eventLog)
  return Number(row?.seq ?? 0)
}

/** Deletes the oldest events outside tournaments; returns their number, at most `batch`. */
async function deleteOutside(tx: Tx, before: Date, upTo: number): Promise<number> {
  const { orm } = tx.session
  const oldest = orm
    .select({ seq: eventLog.seq })
    .from(eventLog)
    .where(and(isNull(eventLog.tournament), lt(eventLog.at, before), lte(eventLog.seq, upTo)))
    .orderBy(asc(eventLog.at))
    .limit(batch)
  return (await orm.delete(eventLog).where(inArray(eventLog.seq, oldest))).rowCount ?? 0
}

async function listEnded(db: Db, before: Date, upTo: number): Promise<readonly string[]> {
  const rows = await db.session.orm
    .select({ tournament: eventLog.tournament })
    .from(eventLog)
    .where(and(eq(eventLog.type, ending), lt(eventLog.at, before), lte(eventLog.seq, upTo)))
    .orderBy(asc(eventLog.at))
    .limit(maxEnded)
  return rows.flatMap(({ tournament }) => tournament ?? [])
}

/** Deletes events of a deleted tournament, the deletion last; returns their number. */
async function deleteEnded(tx: Tx, tournament: string, upTo: number): Promise<number> {
  const { orm } = tx.session
  const first = orm
    .select({ seq: eventLog.seq })
    .from(eventLog)
    .where(
      and(
        eq(eventLog.tournament, tournament),
        lte(eventLog.seq, upTo),
        sql`(${eventLog.type} <> ${ending} or not exists (
          select from ${eventLog} later where later.tournament = ${tournament} and later.seq > ${upTo}))`,
      ),
    )
    .orderBy(asc(sql`${eventLog.type} = ${ending}`), asc(eventLog.seq))
    .limit(batch)
  return (await orm.delete(eventLog).where(inArray(eventLog.seq, first))).rowCount ?? 0
}

/** Removes these members from all events of a record whose text is deleted. */
export async function removeTexts(
  tx: Tx,
  { subject, tournament }: { readonly subject: string; readonly tournament: string },
  members: readonly string[],
): Promise<void> {
  const without = (column: PgColumn) => sql`${column} - ${sql.param(members)}::text[]`
  await tx.session.orm
    .update(eventLog)
    .set({ before: without(eventLog.before), after: without(eventLog.after) })
    .where(and(eq(eventLog.tournament, tournament), eq(eventLog.subject, subject)))
}
