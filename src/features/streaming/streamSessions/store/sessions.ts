import { and, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { streamKeys } from '../../streamKeys/tables.ts'
import { streamHealth, streamSessions } from '../tables.ts'
import type { CutStatus, EndReason, Health, StreamSession } from '../types.ts'

const { missed: _, ...sessionColumns } = getTableColumns(streamSessions)

const live = isNull(streamSessions.endedAt)

const byGuid = statement('stream_sessions.by_guid', (orm) =>
  orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(eq(streamSessions.guid, sql.placeholder('guid'))),
)

export async function findSession(db: Db, guid: string): Promise<StreamSession | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const liveOf = statement('stream_sessions.live_of', (orm) =>
  orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(
      and(
        eq(streamSessions.userGuid, sql.placeholder('user')),
        eq(streamSessions.serverGuid, sql.placeholder('server')),
        live,
      ),
    ),
)

/** Finds the user's live session on the server. */
export async function findLive(db: Db, user: string, server: string): Promise<StreamSession | undefined> {
  return (await liveOf(db, { user, server }))[0]
}

/** Finds the live session on the server by its key or its user. */
export async function findLiveBy(
  db: Db,
  server: string,
  { digest, userGuid }: { readonly digest: Buffer | null; readonly userGuid: string | null },
): Promise<StreamSession | undefined> {
  if (digest === null && userGuid === null) return undefined
  const [row] = await db.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(
      and(
        eq(streamSessions.serverGuid, server),
        live,
        digest === null ? undefined : eq(streamSessions.keyDigest, digest),
        userGuid === null ? undefined : eq(streamSessions.userGuid, userGuid),
      ),
    )
    .limit(1)
  return row
}

/** Finds the user's last session on the server, live or ended. */
export async function findLast(db: Db, user: string, server: string): Promise<StreamSession | undefined> {
  const [row] = await db.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(and(eq(streamSessions.userGuid, user), eq(streamSessions.serverGuid, server)))
    .orderBy(sql`${streamSessions.endedAt} desc nulls first`, desc(streamSessions.startedAt))
    .limit(1)
  return row
}

/** Locks the session for the rest of the transaction. */
export async function lockSession(tx: Tx, guid: string): Promise<StreamSession | undefined> {
  const [row] = await tx.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(eq(streamSessions.guid, guid))
    .for('update')
  return row
}

/** Lists the live streams of these users: streams before tests, then the newest first. */
export async function listLiveOfUsers(db: Db, users: readonly string[]): Promise<StreamSession[]> {
  if (users.length === 0) return []
  return db.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(and(inArray(streamSessions.userGuid, [...users]), live))
    .orderBy(streamSessions.test, desc(streamSessions.startedAt))
}

export async function listLiveOfServer(db: Db, server: string): Promise<(StreamSession & { missed: number })[]> {
  return db.session.orm
    .select({ ...sessionColumns, missed: streamSessions.missed })
    .from(streamSessions)
    .where(and(eq(streamSessions.serverGuid, server), live))
}

/** The filter of a list of sessions. */
export interface SessionFilter {
  readonly tournamentGuid?: string
  readonly userGuid?: string | undefined
  readonly isLive?: boolean | undefined
  readonly test?: boolean | undefined
}

/** Lists sessions, newest first, with one beyond `limit`. */
export async function listSessions(
  db: Db,
  { tournamentGuid, userGuid, isLive, test }: SessionFilter,
  { limit, after }: { readonly limit: number; readonly after: MakingPosition | undefined },
): Promise<StreamSession[]> {
  const started = { createdAt: streamSessions.startedAt, guid: streamSessions.guid }
  return db.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(
      and(
        tournamentGuid === undefined ? undefined : eq(streamSessions.tournamentGuid, tournamentGuid),
        userGuid === undefined ? undefined : eq(streamSessions.userGuid, userGuid),
        isLive === undefined ? undefined : isLive ? live : isNotNull(streamSessions.endedAt),
        test === undefined ? undefined : eq(streamSessions.test, test),
        madeBefore(started, after),
      ),
    )
    .orderBy(desc(streamSessions.startedAt), desc(streamSessions.guid))
    .limit(limit + 1)
}

export type NewSession = Omit<StreamSession, 'guid' | 'endedAt' | 'endReason' | 'cut'>

export async function insertSession(tx: Tx, session: NewSession): Promise<StreamSession> {
  const [row] = await tx.session.orm.insert(streamSessions).values(session).returning(sessionColumns)
  if (row === undefined) throw new Error('an insert returned nothing')
  return row
}

export interface Ending {
  readonly reason: EndReason
  readonly cut: CutStatus | null
  readonly now: Date
}

/** A condition for live sessions. */
export type Which =
  | { readonly session: string }
  | { readonly user: string }
  | { readonly server: string }
  | { readonly key: string }
  | { readonly tournament: string }
  /**
   * Sessions of the user, or on the server, that may have been let in by any key, while the user has no valid key left.
   */
  | { readonly keylessOf: string }
  | { readonly keylessAt: string }

export async function endLive(tx: Tx, which: Which, { reason, cut, now }: Ending): Promise<StreamSession[]> {
  return tx.session.orm
    .update(streamSessions)
    .set({ endedAt: now, endReason: reason, cut })
    .where(and(live, conditionOf(which)))
    .returning(sessionColumns)
}

/** The session was found on its server, so its key is unknown, and the user has no valid key left. (S3, S8) */
const keyless = sql`${streamSessions.keyGuid} is null and not exists (
  select from ${streamKeys} k where k.user_guid = ${streamSessions.userGuid} and (k.expires_at is null or k.expires_at > now()))`

function conditionOf(which: Which): SQL {
  if ('keylessOf' in which) return sql`${eq(streamSessions.userGuid, which.keylessOf)} and ${keyless}`
  if ('keylessAt' in which) return sql`${eq(streamSessions.serverGuid, which.keylessAt)} and ${keyless}`
  if ('session' in which) return eq(streamSessions.guid, which.session)
  if ('user' in which) return eq(streamSessions.userGuid, which.user)
  if ('server' in which) return eq(streamSessions.serverGuid, which.server)
  if ('tournament' in which) return eq(streamSessions.tournamentGuid, which.tournament)
  return eq(streamSessions.keyGuid, which.key)
}

/** Marks a session as replaced: its server reported its end before its successor was let in. */
export async function markReplaced(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm
    .update(streamSessions)
    .set({ endReason: 'replaced' })
    .where(and(eq(streamSessions.guid, guid), eq(streamSessions.endReason, 'done')))
}

export async function setCut(tx: Tx, guid: string, cut: CutStatus): Promise<void> {
  await tx.session.orm.update(streamSessions).set({ cut }).where(eq(streamSessions.guid, guid))
}

/** Resets the count of sessions that the server lists, and raises it for those that it does not list. */
export async function countMissed(tx: Tx, seen: readonly string[], missed: readonly string[]): Promise<void> {
  const { orm } = tx.session
  if (seen.length > 0) {
    const isMissed = and(live, inArray(streamSessions.guid, [...seen]), gt(streamSessions.missed, 0))
    await orm.update(streamSessions).set({ missed: 0 }).where(isMissed)
  }
  if (missed.length > 0) {
    await orm
      .update(streamSessions)
      .set({ missed: sql`${streamSessions.missed} + 1` })
      .where(and(live, inArray(streamSessions.guid, [...missed])))
  }
}

export type TermChanges = Partial<Pick<StreamSession, 'assignmentGuid' | 'tournamentGuid' | 'test' | 'endsBy'>>

export async function changeTerms(tx: Tx, guid: string, changes: TermChanges): Promise<StreamSession | undefined> {
  const [row] = await tx.session.orm
    .update(streamSessions)
    .set(changes)
    .where(and(eq(streamSessions.guid, guid), live))
    .returning(sessionColumns)
  return row
}

export async function listLive(db: Db, which: Which): Promise<StreamSession[]> {
  return db.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(and(live, conditionOf(which)))
}

const due = and(live, lte(streamSessions.endsBy, sql`now()`))

/** Lists streams whose end has come, at most a thousand. */
export async function listDue(db: Db): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: streamSessions.guid })
    .from(streamSessions)
    .where(due)
    .orderBy(streamSessions.endsBy)
    .limit(1_000)
  return rows.map(({ guid }) => guid)
}

/** Locks a stream whose end has come; undefined if another process is working on it. */
export async function lockDue(tx: Tx, guid: string): Promise<StreamSession | undefined> {
  const [row] = await tx.session.orm
    .select(sessionColumns)
    .from(streamSessions)
    .where(and(eq(streamSessions.guid, guid), due))
    .for('update', { skipLocked: true })
  return row
}

/** The milliseconds until the next stream has to end. Streams whose end has come are left to the next run. */
export async function msUntilDue(db: Db): Promise<number | null> {
  const [row] = await db.session.orm
    .select({
      ms: sql<number | null>`(1000 * extract(epoch from min(${streamSessions.endsBy}) - clock_timestamp()))::float8`,
    })
    .from(streamSessions)
    .where(and(live, gt(streamSessions.endsBy, sql`now()`)))
  return row?.ms == null ? null : Math.max(0, Math.ceil(row.ms))
}

export async function listHealth(db: Db, sessions: readonly string[]): Promise<ReadonlyMap<string, Health>> {
  if (sessions.length === 0) return new Map()
  const rows = await db.session.orm
    .select()
    .from(streamHealth)
    .where(inArray(streamHealth.sessionGuid, [...sessions]))
  return new Map(rows.map(({ sessionGuid, ...health }) => [sessionGuid, health]))
}

export async function putHealth(tx: Tx, rows: readonly ({ readonly sessionGuid: string } & Health)[]): Promise<void> {
  if (rows.length === 0) return
  await tx.session.orm.execute(sql`
    insert into ${streamHealth} (session_guid, at, width, height, fps, video_kbps, audio_kbps, readers)
    select "sessionGuid", at, width, height, fps, "videoKbps", "audioKbps", readers
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as h ("sessionGuid" uuid, at timestamptz, width integer,
      height integer, fps real, "videoKbps" real, "audioKbps" real, readers integer)
    on conflict (session_guid) do update set at = excluded.at, width = excluded.width, height = excluded.height,
      fps = excluded.fps, video_kbps = excluded.video_kbps, audio_kbps = excluded.audio_kbps, readers = excluded.readers`)
}

/** The number of days for which publishers' addresses are kept. (streaming: Records) */
export const addressDays = 30

export async function forgetAddresses(tx: Tx, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ guid: streamSessions.guid })
    .from(streamSessions)
    .where(
      and(
        isNotNull(streamSessions.address),
        lt(streamSessions.startedAt, sql`now() - make_interval(days => ${addressDays})`),
      ),
    )
    .limit(limit)
  const { rowCount } = await tx.session.orm
    .update(streamSessions)
    .set({ address: null })
    .where(inArray(streamSessions.guid, old))
  return rowCount ?? 0
}

/** Deletes the health of streams that have ended, or whose server no longer reports it. */
export async function forgetHealth(tx: Tx, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ guid: streamHealth.sessionGuid })
    .from(streamHealth)
    .where(lt(streamHealth.at, sql`now() - interval '1 day'`))
    .limit(limit)
  const { rowCount } = await tx.session.orm.delete(streamHealth).where(inArray(streamHealth.sessionGuid, old))
  return rowCount ?? 0
}
