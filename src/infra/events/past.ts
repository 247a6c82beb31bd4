import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { eventLog } from './tables.ts'

/** The most events that one tournament brings. Each gets a block of numbers of this size. */
export const mostPastEvents = 200_000

/** An event of a tournament that happened in another service. */
export interface PastEvent {
  /** From 1, in order. */
  readonly number: number
  readonly at: string
  readonly type: string
  readonly subject: string | null
  readonly actor: string | null
  readonly before?: unknown
  readonly after?: unknown
}

/** Draws a block of numbers. */
export async function drawPast(tx: Tx): Promise<number> {
  const { rows } = await tx.session.orm.execute<{ first: string }>(sql`select nextval('event_log_past') as first`)
  return Number(rows[0]?.first)
}

/**
 * Adds to the log what happened in another service. The numbers are below zero, so that it is in the audit list, and no
 * follower, cache or topic ever takes it for news.
 * @param block from `drawPast`
 */
export async function insertPast(
  tx: Tx,
  { block, tournament }: { readonly block: number; readonly tournament: string },
  events: readonly PastEvent[],
): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${eventLog} (seq, at, type, subject, tournament, actor, before, after, touches)
    select ${block}::bigint + e."number", e."at", e."type", e."subject", ${tournament}::uuid, e."actor", e."before", e."after",
      array_remove(array[e."subject"::text, ${tournament}::text], null)
    from json_to_recordset(${JSON.stringify(events)}::json) as e ("number" int, "at" timestamptz, "type" text,
      "subject" uuid, "actor" uuid, "before" jsonb, "after" jsonb)`)
}
