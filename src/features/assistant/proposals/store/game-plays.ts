import { and, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantSessions } from '../../assistantSessions/tables.ts'
import { assistantFinishes, assistantPlays } from '../tables.ts'
import type { Play } from '../types.ts'

/** Songs that players' own games told of. (AS31) */

/** What games tell of one match is written one after the other: before any other lock of it. */
export async function lockGamePlays(tx: Tx, matchGuid: string): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('game_plays ' || ${matchGuid}::text, 0))`,
  )
}

/** Of a match, the newest first: those that may be told of again, or are still going on. */
export async function listGamePlays(db: Db, matchGuid: string): Promise<readonly Play[]> {
  return db.session.orm
    .select()
    .from(assistantPlays)
    .where(
      and(
        eq(assistantPlays.matchGuid, matchGuid),
        eq(assistantPlays.source, 'game'),
        inArray(assistantPlays.state, ['started', 'finished']),
      ),
    )
    .orderBy(desc(assistantPlays.startedAt), desc(assistantPlays.guid))
    .limit(mostRecent)
}

/** A new song ends the one before, so that no more than one is going on. */
const mostRecent = 5

/** By a session that is open: what a closed one has left is told by nobody until the next one is opened. (D75) */
export async function isPlayedByAssistant(db: Db, matchGuid: string): Promise<boolean> {
  const rows = await db.session.orm
    .select({ guid: assistantPlays.guid })
    .from(assistantPlays)
    .leftJoin(assistantSessions, eq(assistantSessions.guid, assistantPlays.sessionGuid))
    .where(
      and(
        eq(assistantPlays.matchGuid, matchGuid),
        eq(assistantPlays.source, 'assistant'),
        inArray(assistantPlays.state, ['sending', 'started']),
        isNull(assistantSessions.closedAt),
      ),
    )
    .limit(1)
  return rows.length > 0
}

export async function countGamePlays(db: Db, matchGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ plays: count() })
    .from(assistantPlays)
    .where(and(eq(assistantPlays.matchGuid, matchGuid), eq(assistantPlays.source, 'game')))
  return row?.plays ?? 0
}

const atOnce = 64

/** Those for which nobody is waited any more: the last player came before `quietSince`, or the song before `openSince`. */
export async function listQuietGamePlays(
  db: Db,
  { quietSince, openSince }: { readonly quietSince: Date; readonly openSince: Date },
): Promise<readonly { readonly guid: string; readonly matchGuid: string; readonly isOver: boolean }[]> {
  const lastAt = sql`(select max(${assistantFinishes.receivedAt}) from ${assistantFinishes} where ${assistantFinishes.playGuid} = ${assistantPlays.guid})`
  const isCollecting = sql`exists (select from game_proposals p where p.play_guid = ${assistantPlays.guid} and p.status = 'collecting')`
  return db.session.orm
    .select({
      guid: assistantPlays.guid,
      matchGuid: assistantPlays.matchGuid,
      isOver: sql<boolean>`${assistantPlays.startedAt} < ${openSince.toISOString()}::timestamptz`,
    })
    .from(assistantPlays)
    .where(
      and(
        eq(assistantPlays.source, 'game'),
        eq(assistantPlays.state, 'started'),
        or(
          lt(assistantPlays.startedAt, openSince),
          sql`${isCollecting} and ${lastAt} < ${quietSince.toISOString()}::timestamptz`,
        ),
      ),
    )
    .orderBy(assistantPlays.startedAt)
    .limit(atOnce)
}
