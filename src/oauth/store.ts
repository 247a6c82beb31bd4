import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, max, min, type SQL, sql } from 'drizzle-orm'
import type { GlobalRole } from '../core/roles.ts'
import { isScope, type Scope } from '../core/scopes.ts'
import { users } from '../features/users/tables.ts'
import { type Db, statement, type Tx } from '../infra/db/database.ts'
import { accessTokens } from './tables.ts'

export interface TokenHolder {
  readonly guid: string
  readonly chatPlatformId: string
  readonly globalRoles: readonly GlobalRole[]
}

const insertToken = statement('tokens.insert', (orm) =>
  orm
    .insert(accessTokens)
    .values({
      userGuid: sql.placeholder('userGuid'),
      clientId: sql.placeholder('clientId'),
      sessionGuid: sql.placeholder('sessionGuid'),
      scopes: sql.placeholder('scopes'),
      issuedAt: sql.placeholder('issuedAt'),
      expiresAt: sql.placeholder('expiresAt'),
    })
    .returning({ jti: accessTokens.jti }),
)

export interface NewToken {
  readonly userGuid: string
  readonly clientId: string | null
  readonly sessionGuid: string | null
  readonly scopes: readonly Scope[]
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/** Answers the new token's `jti`. */
export async function insertAccessToken(tx: Tx, token: NewToken): Promise<string> {
  const [row] = await insertToken(tx, { ...token })
  if (row === undefined) throw new Error('an inserted token was not returned')
  return row.jti
}

const holderOfToken = statement('tokens.holder', (orm) =>
  orm
    .select({ guid: users.guid, chatPlatformId: users.chatPlatformId, globalRoles: users.globalRoles })
    .from(accessTokens)
    .innerJoin(users, eq(users.guid, accessTokens.userGuid))
    .where(
      and(
        eq(accessTokens.jti, sql.placeholder('jti')),
        isNull(accessTokens.revokedAt),
        gte(accessTokens.issuedAt, users.credentialsValidFrom),
        isNull(users.bannedAt),
        isNull(users.anonymisedAt),
      ),
    ),
)

/** Who holds a token that is neither revoked nor its holder's lost; undefined for any other. */
export async function findHolderOfToken(db: Db, jti: string): Promise<TokenHolder | undefined> {
  return (await holderOfToken(db, { jti }))[0]
}

/** Answers the `jti`s that were live until now. */
export async function revokeTokensOfSession(tx: Tx, sessionGuid: string, now: Date): Promise<string[]> {
  return revoke(tx, eq(accessTokens.sessionGuid, sessionGuid), now)
}

/** Ends what a user has granted to an application. Answers the `jti`s that were live until now. */
export async function revokeTokensOfApplication(
  tx: Tx,
  userGuid: string,
  clientId: string,
  now: Date,
): Promise<string[]> {
  return revoke(tx, and(eq(accessTokens.userGuid, userGuid), eq(accessTokens.clientId, clientId)), now)
}

async function revoke(tx: Tx, which: SQL | undefined, now: Date): Promise<string[]> {
  const rows = await tx.session.orm
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(which, isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now)))
    .returning({ jti: accessTokens.jti })
  return rows.map((row) => row.jti)
}

/** An application that holds a live token of a user. */
export interface GrantedApplication {
  readonly clientId: string
  readonly scopes: readonly Scope[]
  readonly grantedAt: Date
  readonly lastIssuedAt: Date
  readonly expiresAt: Date
}

const maxApplications = 200

/** The applications that act for a user now, the one that was last given a token first; scopes are those of its newest. */
export async function listGrantedApplications(db: Db, userGuid: string, now: Date): Promise<GrantedApplication[]> {
  const rows = await db.session.orm
    .select({
      clientId: sql<string>`${accessTokens.clientId}`,
      scope: sql<string>`(array_agg(array_to_string(${accessTokens.scopes}, ' ') order by ${accessTokens.issuedAt} desc))[1]`,
      grantedAt: min(accessTokens.issuedAt),
      lastIssuedAt: max(accessTokens.issuedAt),
      expiresAt: max(accessTokens.expiresAt),
    })
    .from(accessTokens)
    .innerJoin(users, eq(users.guid, accessTokens.userGuid))
    .where(
      and(
        eq(accessTokens.userGuid, userGuid),
        isNotNull(accessTokens.clientId),
        isNull(accessTokens.revokedAt),
        gt(accessTokens.expiresAt, now),
        gte(accessTokens.issuedAt, users.credentialsValidFrom),
      ),
    )
    .groupBy(accessTokens.clientId)
    .orderBy(desc(max(accessTokens.issuedAt)), accessTokens.clientId)
    .limit(maxApplications)
  return rows.map(({ clientId, scope, grantedAt, lastIssuedAt, expiresAt }) => ({
    clientId,
    scopes: scope.split(' ').filter(isScope),
    grantedAt: grantedAt as Date,
    lastIssuedAt: lastIssuedAt as Date,
    expiresAt: expiresAt as Date,
  }))
}

/** Deletes at most `limit` tokens that have expired; answers how many there were. */
export async function deleteExpiredTokens(tx: Tx, now: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const expired = orm
    .select({ jti: accessTokens.jti })
    .from(accessTokens)
    .where(lt(accessTokens.expiresAt, now))
    .limit(limit)
  const result = await orm.delete(accessTokens).where(inArray(accessTokens.jti, expired))
  return result.rowCount ?? 0
}
