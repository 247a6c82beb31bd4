import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { MakingPosition } from '../../../core/page.ts'
import { madeBefore } from '../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { accessTokens, grants, refreshTokens } from '../../../oauth/tables.ts'
import { users } from '../users/tables.ts'
import { sessions, signInPlaces } from './tables.ts'
import type { Access, SignIn } from './types.ts'

/** A user's sign-ins. */
export const sessionsPersonalData = declarePersonalData({
  sections: {
    signIns: rowsOf(sessions, 'userGuid', {
      shows: [
        ...['guid', { isWebsite: sql<boolean>`${sessions.secretHash} is not null` }, 'userAgent', 'createdAt'],
        ...['lastSeenAt', 'expiresAt', 'revokedAt'],
      ] as const,
    }),
    // Places are digests: the export shows only when they were used.
    signInPlaces: rowsOf(signInPlaces, 'userGuid', { shows: ['lastSeenAt'], order: ['lastSeenAt'] }),
  },
  forget: [deleteRows(sessions, 'userGuid'), deleteRows(signInPlaces, 'userGuid')],
})

export interface NewSession {
  readonly userGuid: string
  readonly secretHash: Buffer | null
  readonly userAgent: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Returns the new session's GUID. */
export async function insertSession(tx: Tx, session: NewSession): Promise<string> {
  const [row] = await tx.session.orm
    .insert(sessions)
    .values({ ...session, lastSeenAt: session.createdAt })
    .returning({ guid: sessions.guid })
  if (row === undefined) throw new Error('an inserted session was not returned')
  return row.guid
}

/**
 * The session is not ended, and its user is not banned or deleted and has not had earlier credentials revoked. (D24)
 */
const standing = and(
  isNull(sessions.revokedAt),
  gte(sessions.createdAt, users.credentialsValidFrom),
  isNull(users.bannedAt),
  isNull(users.anonymisedAt),
)

const holderColumns = {
  sessionGuid: sessions.guid,
  lastSeenAt: sessions.lastSeenAt,
  guid: users.guid,
  chatPlatformId: users.chatPlatformId,
  username: users.username,
  avatarUrl: users.avatarUrl,
  globalRoles: users.globalRoles,
}

const bySecret = and(
  eq(sessions.secretHash, sql.placeholder('secretHash')),
  gt(sessions.expiresAt, sql.placeholder('now')),
  standing,
)

const holderOfSession = statement('sessions.holder', (orm) =>
  orm.select(holderColumns).from(sessions).innerJoin(users, eq(users.guid, sessions.userGuid)).where(bySecret),
)

const lockedHolder = statement('sessions.lock', (orm) =>
  orm
    .select(holderColumns)
    .from(sessions)
    .innerJoin(users, eq(users.guid, sessions.userGuid))
    .where(bySecret)
    .for('update', { of: sessions }),
)

export type SessionHolder = Awaited<ReturnType<typeof holderOfSession>>[number]

/** Finds the user who is signed in with the secret; undefined if the session is over. */
export async function findHolderOfSession(db: Db, secretHash: Buffer, now: Date): Promise<SessionHolder | undefined> {
  return (await holderOfSession(db, { secretHash, now }))[0]
}

/** Does the same and locks the session's row, so that it cannot be ended while a token is issued for it. */
export async function lockHolderOfSession(tx: Tx, secretHash: Buffer, now: Date): Promise<SessionHolder | undefined> {
  return (await lockedHolder(tx, { secretHash, now }))[0]
}

/** Saves a session's last use, unless another request has just done so. */
export async function noteUse(tx: Tx, guid: string, now: Date): Promise<void> {
  await tx.session.orm
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.guid, guid), lt(sessions.lastSeenAt, now)))
}

/** Returns false if the user had no such session, or it was ended before. */
export async function endSession(tx: Tx, userGuid: string, guid: string, now: Date): Promise<boolean> {
  const rows = await tx.session.orm
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.guid, guid), eq(sessions.userGuid, userGuid), isNull(sessions.revokedAt)))
    .returning({ guid: sessions.guid })
  return rows.length > 0
}

const { secretHash, ...shownColumns } = getTableColumns(sessions)

const isLive = (now: Date) => and(isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now))

/** The sign-in has not expired, or one of its tokens has not. */
function lasts(now: Date): SQL | undefined {
  const tokens = sql`select from ${accessTokens} where ${and(eq(accessTokens.sessionGuid, sessions.guid), isLive(now))}`
  return or(gt(sessions.expiresAt, now), sql`exists (${tokens})`)
}

/**
 * Lists one page of a user's valid sign-ins, newest first, with one row beyond `limit`. A sign-in is listed if it was
 * not ended and has not expired, or has expired but still has a valid token.
 */
export async function listSignIns(
  db: Db,
  userGuid: string,
  page: {
    /** The token of the request. */
    readonly jti: string | null
    readonly after?: MakingPosition | undefined
    readonly limit: number
    readonly now: Date
  },
): Promise<SignIn[]> {
  const { orm } = db.session
  const { jti, after, limit, now } = page
  return orm
    .select({
      ...shownColumns,
      isWebsite: sql<boolean>`${secretHash} is not null`,
      isCurrent: sql<boolean>`exists (select from ${accessTokens} where ${accessTokens.jti} = ${jti} and ${accessTokens.sessionGuid} = ${sessions.guid})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.guid, sessions.userGuid))
    .where(and(eq(sessions.userGuid, userGuid), standing, lasts(now), madeBefore(sessions, after)))
    .orderBy(desc(sessions.createdAt), desc(sessions.guid))
    .limit(limit + 1)
}

/** Counts what acts for a user now, and a ban would end. (D24) */
export async function countAccess(db: Db, userGuid: string, now: Date): Promise<Access> {
  const { orm } = db.session
  const isGood = and(eq(users.guid, userGuid), isNull(users.bannedAt), isNull(users.anonymisedAt))
  const ofGrant = sql`select from ${accessTokens} where ${and(eq(accessTokens.grantGuid, grants.guid), isLive(now))}`
  const unused = and(
    eq(refreshTokens.grantGuid, grants.guid),
    isNull(refreshTokens.usedAt),
    gt(refreshTokens.expiresAt, now),
  )
  const renewable = sql`select from ${refreshTokens} where ${unused}`
  const grantStands = and(isNull(grants.revokedAt), gte(grants.createdAt, users.credentialsValidFrom))
  const [signIns, acting, tokens] = await Promise.all([
    orm
      .select({ all: count(), websites: count(sessions.secretHash) })
      .from(sessions)
      .innerJoin(users, eq(users.guid, sessions.userGuid))
      .where(and(eq(sessions.userGuid, userGuid), standing, lasts(now))),
    orm
      .select({ applications: countDistinct(grants.clientId) })
      .from(grants)
      .innerJoin(users, eq(users.guid, grants.userGuid))
      .where(
        and(
          eq(grants.userGuid, userGuid),
          isGood,
          grantStands,
          or(sql`exists (${ofGrant})`, sql`exists (${renewable})`),
        ),
      ),
    orm
      .select({ tokens: count() })
      .from(accessTokens)
      .innerJoin(users, eq(users.guid, accessTokens.userGuid))
      .leftJoin(grants, eq(grants.guid, accessTokens.grantGuid))
      .where(
        and(
          eq(accessTokens.userGuid, userGuid),
          isGood,
          isLive(now),
          isNull(grants.revokedAt),
          gte(accessTokens.issuedAt, users.credentialsValidFrom),
        ),
      ),
  ])
  const { all = 0, websites = 0 } = signIns[0] ?? {}
  return {
    websites,
    clients: all - websites,
    applications: acting[0]?.applications ?? 0,
    tokens: tokens[0]?.tokens ?? 0,
  }
}

/** Deletes at most `limit` expired sessions without tokens; returns their number. */
export async function deleteExpiredSessions(tx: Tx, now: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const tokens = orm
    .select({ jti: accessTokens.jti })
    .from(accessTokens)
    .where(eq(accessTokens.sessionGuid, sessions.guid))
  const expired = orm
    .select({ guid: sessions.guid })
    .from(sessions)
    .where(and(lt(sessions.expiresAt, now), notExists(tokens)))
    .limit(limit)
  const result = await orm.delete(sessions).where(inArray(sessions.guid, expired))
  return result.rowCount ?? 0
}

const placesOf = statement('sessions.places', (orm) =>
  orm
    .select({ place: signInPlaces.place })
    .from(signInPlaces)
    .where(eq(signInPlaces.userGuid, sql.placeholder('userGuid'))),
)

/** Lists the places from which a user has signed in. Call it under the user's lock. */
export async function listPlaces(tx: Tx, userGuid: string): Promise<string[]> {
  return (await placesOf(tx, { userGuid })).map(({ place }) => place)
}

/** Inserts or updates a place of a user, and deletes all but the `limit` most recently used ones. */
export async function notePlace(tx: Tx, userGuid: string, place: string, now: Date, limit: number): Promise<void> {
  const { orm } = tx.session
  await orm
    .insert(signInPlaces)
    .values({ userGuid, place, lastSeenAt: now })
    .onConflictDoUpdate({
      target: [signInPlaces.userGuid, signInPlaces.place],
      set: { lastSeenAt: sql`greatest(${signInPlaces.lastSeenAt}, excluded.last_seen_at)` },
    })
  const older = orm
    .select({ place: signInPlaces.place })
    .from(signInPlaces)
    .where(eq(signInPlaces.userGuid, userGuid))
    .orderBy(desc(signInPlaces.lastSeenAt), signInPlaces.place)
    .offset(limit)
  await orm.delete(signInPlaces).where(and(eq(signInPlaces.userGuid, userGuid), inArray(signInPlaces.place, older)))
}

/** Deletes at most `limit` places that were not used since `before`; returns their number. */
export async function deleteOldPlaces(tx: Tx, before: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  // A place that is locked by a sign-in is in use and is skipped.
  const old = orm
    .select({ userGuid: signInPlaces.userGuid, place: signInPlaces.place })
    .from(signInPlaces)
    .where(lt(signInPlaces.lastSeenAt, before))
    .limit(limit)
    .for('update', { skipLocked: true })
  const result = await orm.delete(signInPlaces).where(sql`(${signInPlaces.userGuid}, ${signInPlaces.place}) in ${old}`)
  return result.rowCount ?? 0
}

export async function deleteAllPlaces(tx: Tx): Promise<void> {
  await tx.session.orm.delete(signInPlaces)
}
