import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Unreachable } from '../../../infra/clients/http.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { streamSessions } from '../streamSessions/tables.ts'
import { streamServers } from './tables.ts'
import type { StreamServer } from './types.ts'

const byGuid = statement('stream_servers.by_guid', (orm) =>
  orm
    .select()
    .from(streamServers)
    .where(eq(streamServers.guid, sql.placeholder('guid'))),
)

export async function findServer(db: Db, guid: string): Promise<StreamServer | undefined> {
  return (await byGuid(db, { guid }))[0]
}

/** Lists all servers by name. */
export async function listServers(db: Db): Promise<StreamServer[]> {
  return db.session.orm.select().from(streamServers).orderBy(asc(streamServers.name), asc(streamServers.guid))
}

const enabled = statement('stream_servers.enabled', (orm) =>
  orm
    .select()
    .from(streamServers)
    .where(eq(streamServers.enabled, true))
    .orderBy(asc(streamServers.name), asc(streamServers.guid)),
)

/** Lists the enabled servers by name. */
export async function listEnabledServers(db: Db): Promise<StreamServer[]> {
  return enabled(db)
}

/** Locks the creation of servers until the transaction ends, so that the limit on their number holds. */
export async function lockServers(tx: Tx): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended('stream_servers', 0))`)
}

/** Call it under `lockServers`. */
export async function countServers(tx: Tx): Promise<number> {
  return tx.session.orm.$count(streamServers)
}

/** Locks the server's row for the rest of the transaction. */
export async function lockServer(tx: Tx, guid: string): Promise<StreamServer | undefined> {
  const [row] = await tx.session.orm.select().from(streamServers).where(eq(streamServers.guid, guid)).for('update')
  return row
}

type NewServer = Omit<typeof streamServers.$inferInsert, 'guid' | 'createdAt' | 'updatedAt'>

export async function insertServer(tx: Tx, server: NewServer, now: Date): Promise<StreamServer> {
  const [row] = await tx.session.orm
    .insert(streamServers)
    .values({ ...server, createdAt: now, updatedAt: now })
    .returning()
  if (row === undefined) throw new Error('an inserted media server was not returned')
  return row
}

/** Call it while the server's row is locked. */
export async function updateServer(
  tx: Tx,
  guid: string,
  changes: Partial<Omit<NewServer, 'kind'>>,
  now: Date,
): Promise<StreamServer> {
  const [row] = await tx.session.orm
    .update(streamServers)
    .set({ ...changes, updatedAt: now })
    .where(eq(streamServers.guid, guid))
    .returning()
  if (row === undefined) throw new Error('a locked media server is gone')
  return row
}

export async function deleteServer(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(streamServers).where(eq(streamServers.guid, guid))
}

/**
 * Whether a stream is live through the server. Call it while the server's row is locked, so that no stream can be let
 * in.
 */
export async function isSomebodyLive(tx: Tx, guid: string): Promise<boolean> {
  const live = and(eq(streamSessions.serverGuid, guid), isNull(streamSessions.endedAt))
  const rows = await tx.session.orm.select({ guid: streamSessions.guid }).from(streamSessions).where(live).limit(1)
  return rows.length > 0
}

const seenMs = 60_000

/** Saves the time of a server's call, at most once a minute, as it may call hundreds of times a second. */
export async function noteSeen(
  tx: Tx,
  { guid, lastSeenAt }: Pick<StreamServer, 'guid' | 'lastSeenAt'>,
  now: Date,
): Promise<void> {
  const aMinuteAgo = new Date(now.getTime() - seenMs)
  if (lastSeenAt !== null && lastSeenAt >= aMinuteAgo) return
  await tx.session.orm
    .update(streamServers)
    .set({ lastSeenAt: now })
    .where(
      and(eq(streamServers.guid, guid), or(isNull(streamServers.lastSeenAt), lt(streamServers.lastSeenAt, aMinuteAgo))),
    )
}

/** Saves why a server's control interface failed and since when, or null if it worked. The words contain no secret. */
export async function noteControl(
  tx: Tx,
  guid: string,
  failure: Pick<Unreachable, 'reason' | 'message'> | null,
  now: Date,
): Promise<void> {
  const isSame = sql`${streamServers.controlError} is not distinct from ${failure?.message ?? null}`
  await tx.session.orm
    .update(streamServers)
    .set({
      controlError: failure?.message ?? null,
      controlReason: failure?.reason ?? null,
      controlFailingSince:
        failure === null
          ? null
          : sql`coalesce(${streamServers.controlFailingSince}, ${now.toISOString()}::timestamptz)`,
    })
    .where(and(eq(streamServers.guid, guid), sql`not (${isSame})`))
}

export async function setSealed(
  tx: Tx,
  guid: string,
  sealed: Pick<StreamServer, 'sealedSecret' | 'sealedPreviousSecret' | 'control'>,
): Promise<void> {
  await tx.session.orm.update(streamServers).set(sealed).where(eq(streamServers.guid, guid))
}
