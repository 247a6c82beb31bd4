import { and, eq, gte, inArray, isNull, lt, min, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../core/scopes.ts'
import { users } from '../../features/people/users/tables.ts'
import { type Db, statement, type Tx } from '../../infra/db/database.ts'
import {
  accessTokens,
  applications,
  authorizationCodes,
  consents,
  deviceRequests,
  grants,
  refreshTokens,
} from '../tables.ts'

/** Consents of users, and the grants of applications with their refresh tokens. */

export interface Grant {
  readonly guid: string
  readonly userGuid: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
}

/** The user that a token identifies. */
export interface Subject {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly avatarUrl: string
  /** Neither banned nor deleted. */
  readonly isGood: boolean
  /** Grants from before this time are void. */
  readonly credentialsValidFrom: Date
}

/** Columns of the user that a token identifies. */
export const subjectColumns = {
  guid: users.guid,
  chatPlatformId: users.chatPlatformId,
  username: users.username,
  avatarUrl: users.avatarUrl,
  isGood: sql<boolean>`${users.bannedAt} is null and ${users.anonymisedAt} is null`,
  credentialsValidFrom: users.credentialsValidFrom,
}

const consentOf = statement('grants.consent', (orm) =>
  orm
    .select({ scopes: consents.scopes })
    .from(consents)
    .where(and(eq(consents.userGuid, sql.placeholder('userGuid')), eq(consents.clientId, sql.placeholder('clientId'))))
    .for('key share'),
)

/**
 * The scopes that a user has granted to an application; empty where they were never asked. Locks the consent until the
 * end of the transaction, so that its revocation also ends tokens that are issued now.
 */
export async function lockConsentForKeyShare(tx: Tx, userGuid: string, clientId: string): Promise<readonly Scope[]> {
  return (await consentOf(tx, { userGuid, clientId }))[0]?.scopes ?? []
}

export async function upsertConsent(
  tx: Tx,
  userGuid: string,
  clientId: string,
  scopes: readonly Scope[],
  now: Date,
): Promise<void> {
  await tx.session.orm
    .insert(consents)
    .values({ userGuid, clientId, scopes: [...scopes], createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [consents.userGuid, consents.clientId],
      set: { scopes: [...scopes], updatedAt: now },
    })
}

const insert = statement('grants.insert', (orm) =>
  orm.insert(grants).values({
    guid: sql.placeholder('guid'),
    userGuid: sql.placeholder('userGuid'),
    clientId: sql.placeholder('clientId'),
    scopes: sql.placeholder('scopes'),
    createdAt: sql.placeholder('now'),
    usedAt: sql.placeholder('now'),
  }),
)

export async function insertGrant(tx: Tx, grant: Grant, now: Date): Promise<void> {
  await insert(tx, { ...grant, now })
}

const insertRefresh = statement('grants.insert_refresh_token', (orm) =>
  orm.insert(refreshTokens).values({
    tokenHash: sql.placeholder('tokenHash'),
    grantGuid: sql.placeholder('grantGuid'),
    expiresAt: sql.placeholder('expiresAt'),
  }),
)

export async function insertRefreshToken(tx: Tx, tokenHash: Buffer, grantGuid: string, expiresAt: Date): Promise<void> {
  await insertRefresh(tx, { tokenHash, grantGuid, expiresAt })
}

const refreshColumns = {
  tokenHash: refreshTokens.tokenHash,
  expiresAt: refreshTokens.expiresAt,
  usedAt: refreshTokens.usedAt,
  grant: {
    guid: grants.guid,
    userGuid: grants.userGuid,
    clientId: grants.clientId,
    scopes: grants.scopes,
    createdAt: grants.createdAt,
    revokedAt: grants.revokedAt,
  },
  subject: subjectColumns,
}

const lockedRefresh = statement('grants.lock_refresh_token', (orm) =>
  orm
    .select(refreshColumns)
    .from(refreshTokens)
    .innerJoin(grants, eq(grants.guid, refreshTokens.grantGuid))
    .innerJoin(users, eq(users.guid, grants.userGuid))
    .where(eq(refreshTokens.tokenHash, sql.placeholder('tokenHash')))
    .for('update', { of: [refreshTokens, grants] }),
)

export type RefreshToken = Awaited<ReturnType<typeof lockedRefresh>>[number]

/** Locks the token and its grant: of two concurrent uses the second one sees the first. (D22) */
export async function lockRefreshToken(tx: Tx, tokenHash: Buffer): Promise<RefreshToken | undefined> {
  return (await lockedRefresh(tx, { tokenHash }))[0]
}

const useRefresh = statement('grants.use_refresh_token', (orm) =>
  orm
    .update(refreshTokens)
    .set({ usedAt: sql`${sql.placeholder('now')}::timestamptz` })
    .where(eq(refreshTokens.tokenHash, sql.placeholder('tokenHash'))),
)

export async function useRefreshToken(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await useRefresh(tx, { tokenHash, now: now.toISOString() })
}

const noteUse = statement('grants.note_use', (orm) =>
  orm
    .update(grants)
    .set({ usedAt: sql`${sql.placeholder('now')}::timestamptz` })
    .where(eq(grants.guid, sql.placeholder('guid'))),
)

/** Saves when a grant was last issued a token. */
export async function noteGrantUse(tx: Tx, guid: string, now: Date): Promise<void> {
  await noteUse(tx, { guid, now: now.toISOString() })
}

/** Ends a grant with all its tokens. Returns it, or undefined if it did not exist or had ended before. */
export async function revokeGrant(tx: Tx, guid: string, now: Date): Promise<Grant | undefined> {
  const [row] = await tx.session.orm
    .update(grants)
    .set({ revokedAt: now })
    .where(and(eq(grants.guid, guid), isNull(grants.revokedAt)))
    .returning({ guid: grants.guid, userGuid: grants.userGuid, clientId: grants.clientId, scopes: grants.scopes })
  return row
}

/**
 * Ends all grants of a user to an application, including codes and approved devices in progress, and deletes the
 * consent. Returns whether there was anything to end.
 */
export async function revokeApplication(tx: Tx, userGuid: string, clientId: string, now: Date): Promise<boolean> {
  const { orm } = tx.session
  const of = (table: typeof consents | typeof grants | typeof authorizationCodes | typeof deviceRequests) =>
    and(eq(table.userGuid, userGuid), eq(table.clientId, clientId))
  const forgotten = await orm.delete(consents).where(of(consents))
  await orm.delete(authorizationCodes).where(of(authorizationCodes))
  await orm.delete(deviceRequests).where(of(deviceRequests))
  const ended = await orm
    .update(grants)
    .set({ revokedAt: now })
    .where(and(of(grants), isNull(grants.revokedAt)))
  return (forgotten.rowCount ?? 0) + (ended.rowCount ?? 0) > 0
}

/** An application that acts for a user, or may do so again without asking. */
export interface GrantedApplication {
  readonly clientId: string
  readonly name: string
  readonly imageUrl: string | null
  /** The scopes of its grants, and those of the user's consent. */
  readonly scopes: readonly Scope[]
  readonly grantedAt: Date
  /** For its present tokens; null where there are none. */
  readonly lastIssuedAt: Date | null
  readonly expiresAt: Date | null
}

const maxApplications = 200

/** The applications that act for a user now, most recently issued first, then those with a consent only. */
export async function listGrantedApplications(db: Db, userGuid: string, now: Date): Promise<GrantedApplication[]> {
  const { orm } = db.session
  // The expiry of the grant's last access token or last refresh token, whichever is later.
  const end = sql<Date | null>`greatest(
    (select max(${accessTokens.expiresAt}) from ${accessTokens} where ${accessTokens.grantGuid} = ${grants.guid} and ${accessTokens.revokedAt} is null),
    (select max(${refreshTokens.expiresAt}) from ${refreshTokens} where ${refreshTokens.grantGuid} = ${grants.guid} and ${refreshTokens.usedAt} is null)
  )`
  const live = orm
    .select({
      clientId: grants.clientId,
      scopes: grants.scopes,
      createdAt: grants.createdAt,
      usedAt: sql<Date | null>`${grants.usedAt}`.as('last_used_at'),
      end: end.as('end'),
    })
    .from(grants)
    .innerJoin(users, eq(users.guid, grants.userGuid))
    .where(
      and(
        eq(grants.userGuid, userGuid),
        isNull(grants.revokedAt),
        gte(grants.createdAt, users.credentialsValidFrom),
        sql`${end} > ${now.toISOString()}::timestamptz`,
      ),
    )
  const none = sql<Date | null>`null::timestamptz`
  const agreed = orm
    .select({
      clientId: consents.clientId,
      scopes: consents.scopes,
      createdAt: consents.createdAt,
      usedAt: none.as('last_used_at'),
      end: none.as('end'),
    })
    .from(consents)
    .where(eq(consents.userGuid, userGuid))
  const given = live.unionAll(agreed).as('given')
  const asDate = (instant: SQL<Date | null>) => instant.mapWith(grants.createdAt)
  const rows = await orm
    .select({
      clientId: given.clientId,
      name: applications.name,
      imageUrl: applications.imageUrl,
      scope: sql<string>`string_agg(array_to_string(${given.scopes}, ' '), ' ' order by ${given.usedAt} desc nulls last)`,
      grantedAt: min(given.createdAt),
      lastIssuedAt: asDate(sql`max(${given.usedAt})`),
      expiresAt: asDate(sql`max(${given.end})`),
    })
    .from(given)
    .innerJoin(applications, eq(applications.clientId, given.clientId))
    .groupBy(given.clientId, applications.name, applications.imageUrl)
    .orderBy(sql`max(${given.usedAt}) desc nulls last`, given.clientId)
    .limit(maxApplications)
  return rows.map(({ scope, grantedAt, ...rest }) => ({
    ...rest,
    scopes: [...new Set(scope.split(' ') as Scope[])],
    grantedAt: grantedAt as Date,
  }))
}

/** Deletes at most `limit` expired refresh tokens; returns their number. */
export async function deleteExpiredRefreshTokens(tx: Tx, now: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const expired = orm
    .select({ tokenHash: refreshTokens.tokenHash })
    .from(refreshTokens)
    .where(lt(refreshTokens.expiresAt, now))
    .limit(limit)
  const result = await orm.delete(refreshTokens).where(inArray(refreshTokens.tokenHash, expired))
  return result.rowCount ?? 0
}

/** Deletes at most `limit` grants that were last used before `usedBefore`; returns their number. */
export async function deleteOldGrants(tx: Tx, usedBefore: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const old = orm.select({ guid: grants.guid }).from(grants).where(lt(grants.usedAt, usedBefore)).limit(limit)
  const result = await orm.delete(grants).where(inArray(grants.guid, old))
  return result.rowCount ?? 0
}
