import { and, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantSessions } from '../../assistantSessions/tables.ts'
import { assistantFinishes, assistantPlays } from '../tables.ts'
import type { Play } from '../types.ts'

/** Songs that players' own games reported. (AS31) */

/**
 * Locks the reports of games in a match, so that they are saved one after the other. Taken before any other lock of the
 * match.
 */
export async function lockGamePlays(tx: Tx, matchGuid: string): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('game_plays ' || ${matchGuid}::text, 0))`,
  )
}

/** A match's songs, newest first, that are still open or may be reported again. */
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

/** The maximum of recent songs. A new song ends the previous one, so at most one is open. */
const mostRecent = 5

/**
 * Whether an open session plays a song of the match. A song that a closed session left does not count, because nobody
 * reports it until the next session opens. (D75)
 */
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

/** Songs whose wait is over: the last result came before `quietSince`, or the song began before `openSince`. */
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
