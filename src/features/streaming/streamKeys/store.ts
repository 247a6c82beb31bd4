import { and, asc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { streamHealth, streamSessions } from '../streamSessions/tables.ts'
import { dayOf, isNewNetwork, isNoteDue, networksWith } from './rules.ts'
import { streamKeys } from './tables.ts'
import type { StreamKey } from './types.ts'

/**
 * A key is valid until the instant at which its grace period ends by the database's clock, whether or not it is deleted
 * already.
 */
const counts = or(isNull(streamKeys.expiresAt), sql`${streamKeys.expiresAt} > clock_timestamp()`)

const byDigest = statement('stream_keys.by_digest', (orm) =>
  orm
    .select()
    .from(streamKeys)
    .where(and(eq(streamKeys.digest, sql.placeholder('digest')), counts)),
)

/** Finds the valid key with this digest. */
export async function findKeyByDigest(db: Db, digest: Buffer): Promise<StreamKey | undefined> {
  return (await byDigest(db, { digest }))[0]
}

const ofUser = statement('stream_keys.of_user', (orm) =>
  orm
    .select()
    .from(streamKeys)
    .where(and(eq(streamKeys.userGuid, sql.placeholder('userGuid')), counts))
    .orderBy(asc(streamKeys.createdAt), asc(streamKeys.guid)),
)

/** Lists a user's valid keys, oldest first. */
export async function listKeys(db: Db, userGuid: string): Promise<StreamKey[]> {
  return ofUser(db, { userGuid })
}

/** Finds one of the user's valid keys. */
export async function findKey(db: Db, userGuid: string, guid: string): Promise<StreamKey | undefined> {
  const [row] = await db.session.orm.select().from(streamKeys).where(ofUserBy(userGuid, guid))
  return row
}

function ofUserBy(userGuid: string, guid: string) {
  return and(eq(streamKeys.guid, guid), eq(streamKeys.userGuid, userGuid), counts)
}

/** Locks one of the user's valid keys for the rest of the transaction. */
export async function lockKey(tx: Tx, userGuid: string, guid: string): Promise<StreamKey | undefined> {
  const [row] = await tx.session.orm.select().from(streamKeys).where(ofUserBy(userGuid, guid)).for('update')
  return row
}

/** The number of a user's keys without those in a grace period. Call it under the user's lock. */
export async function countLastingKeys(tx: Tx, userGuid: string): Promise<number> {
  return tx.session.orm.$count(streamKeys, and(eq(streamKeys.userGuid, userGuid), isNull(streamKeys.expiresAt)))
}

export type NewKey = Omit<StreamKey, 'guid' | 'lastUsedAt' | 'expiresAt'>

export async function insertKey(tx: Tx, key: NewKey): Promise<StreamKey> {
  const [row] = await tx.session.orm
    .insert(streamKeys)
    .values({ ...key, networks: [...key.networks] })
    .returning()
  if (row === undefined) throw new Error('an inserted stream key was not returned')
  return row
}

export async function setExpiry(tx: Tx, guid: string, expiresAt: Date): Promise<void> {
  await tx.session.orm.update(streamKeys).set({ expiresAt }).where(eq(streamKeys.guid, guid))
}

export async function deleteKey(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(streamKeys).where(eq(streamKeys.guid, guid))
}

/** Uses the time at which the transaction began, so that the index is used. */
const overdue = sql`${streamKeys.expiresAt} <= now()`

/** Lists keys whose grace period is over, the earliest end first, at most a hundred. */
export async function listOverdueKeys(db: Db): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: streamKeys.guid })
    .from(streamKeys)
    .where(overdue)
    .orderBy(streamKeys.expiresAt)
    .limit(100)
  return rows.map(({ guid }) => guid)
}

/**
 * Deletes a key whose grace period is over. Returns its user's GUID, or undefined if another process deleted it first.
 */
export async function deleteOverdueKey(tx: Tx, guid: string): Promise<string | undefined> {
  const [row] = await tx.session.orm
    .delete(streamKeys)
    .where(and(eq(streamKeys.guid, guid), overdue))
    .returning({ userGuid: streamKeys.userGuid })
  return row?.userGuid
}

/**
 * Saves that a key is used from a network, in the form in which limits count callers. Returns whether the key has been
 * used before, but never from this network. If the key was deleted, nothing is saved.
 */
export async function noteUse(tx: Tx, { guid }: Pick<StreamKey, 'guid'>, network: string, now: Date): Promise<boolean> {
  const { orm } = tx.session
  const [key] = await orm
    .select({ networks: streamKeys.networks, lastUsedAt: streamKeys.lastUsedAt })
    .from(streamKeys)
    .where(eq(streamKeys.guid, guid))
    .for('no key update')
  if (key === undefined) return false
  const networks = networksWith(key.networks, network)
  if (isNoteDue(key.lastUsedAt, now) || networks.join() !== key.networks.join()) {
    await orm.update(streamKeys).set({ networks, lastUsedAt: now }).where(eq(streamKeys.guid, guid))
  }
  return isNewNetwork(key.networks, network)
}

/** A user's stream keys, without the secrets. (S2) */
export const streamKeysPersonalData = declarePersonalData({
  sections: {
    streamKeys: rowsOf(streamKeys, 'userGuid', {
      shows: ['guid', 'label', 'lastFour', 'createdAt', 'lastUsedAt', 'expiresAt', 'networks'],
    }),
  },
  // The slice of stream sessions ends the streams of these keys when the account is deleted. (S3)
  forget: [deleteRows(streamKeys, 'userGuid')],
})

const [day, now] = [sql.placeholder('day'), sql.placeholder('now')]

/** Sessions last at most half a day, so only those that started since the previous day can reach into this one. */
const used = statement('stream_keys.test_seconds', (orm) =>
  orm
    .select({
      seconds: sql<number>`coalesce(sum(extract(epoch from
        least(coalesce(${streamSessions.endedAt}, ${now}), ${now}) - greatest(${streamSessions.startedAt}, ${day}))), 0)::float8`,
    })
    .from(streamSessions)
    .where(
      and(
        eq(streamSessions.userGuid, sql.placeholder('userGuid')),
        eq(streamSessions.test, true),
        gt(streamSessions.startedAt, sql`${day}::timestamptz - interval '1 day'`),
        // A session may start slightly in the future, by the clock of another process.
        lt(streamSessions.startedAt, now),
        sql`coalesce(${streamSessions.endedAt}, ${now}) > ${day}`,
      ),
    ),
)

/** The seconds that a user's tests have taken on this UTC day; tests that are live count until now. (S4) */
export async function testSecondsToday(db: Db, userGuid: string, at: Date): Promise<number> {
  const [row] = await used(db, { userGuid, day: dayOf(at), now: at })
  return row?.seconds ?? 0
}

const arriving = statement('stream_keys.arriving', (orm) =>
  orm
    .select({
      serverGuid: streamSessions.serverGuid,
      test: streamSessions.test,
      startedAt: streamSessions.startedAt,
      health: {
        at: streamHealth.at,
        width: streamHealth.width,
        height: streamHealth.height,
        fps: streamHealth.fps,
        videoKbps: streamHealth.videoKbps,
        audioKbps: streamHealth.audioKbps,
        readers: streamHealth.readers,
      },
    })
    .from(streamSessions)
    .leftJoin(streamHealth, eq(streamHealth.sessionGuid, streamSessions.guid))
    .where(and(eq(streamSessions.userGuid, sql.placeholder('userGuid')), isNull(streamSessions.endedAt))),
)

export type Arriving = Awaited<ReturnType<typeof listArriving>>[number]

/** Lists what arrives of a user now, with what its servers last said of it. */
export const listArriving = (db: Db, userGuid: string) => arriving(db, { userGuid })

/** All keys as they are encrypted, those that have ended too. */
export async function listSealed(db: Db): Promise<Pick<StreamKey, 'guid' | 'sealed'>[]> {
  return db.session.orm.select({ guid: streamKeys.guid, sealed: streamKeys.sealed }).from(streamKeys)
}

export async function setSealed(tx: Tx, guid: string, sealed: string): Promise<void> {
  await tx.session.orm.update(streamKeys).set({ sealed }).where(eq(streamKeys.guid, guid))
}
