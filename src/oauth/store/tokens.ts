import { and, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { GlobalRole } from '../../core/roles.ts'
import type { Scope } from '../../core/scopes.ts'
import { users } from '../../features/people/users/tables.ts'
import { type Db, statement, type Tx } from '../../infra/db/database.ts'
import { accessTokens, grants } from '../tables.ts'

/** Access tokens. */

export interface TokenHolder {
  readonly guid: string
  readonly chatPlatformId: string
  readonly globalRoles: readonly GlobalRole[]
  /** GUID of the application; null for first-party tokens. */
  readonly clientId: string | null
  readonly grantGuid: string | null
  readonly sessionGuid: string | null
  readonly expiresAt: Date
}

const insertToken = statement('tokens.insert', (orm) =>
  orm
    .insert(accessTokens)
    .values({
      userGuid: sql.placeholder('userGuid'),
      grantGuid: sql.placeholder('grantGuid'),
      sessionGuid: sql.placeholder('sessionGuid'),
      scopes: sql.placeholder('scopes'),
      issuedAt: sql.placeholder('issuedAt'),
      expiresAt: sql.placeholder('expiresAt'),
    })
    .returning({ jti: accessTokens.jti }),
)

export interface NewToken {
  readonly userGuid: string
  readonly grantGuid: string | null
  readonly sessionGuid: string | null
  readonly scopes: readonly Scope[]
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/** Inserts a token and returns its `jti`. */
export async function insertAccessToken(tx: Tx, token: NewToken): Promise<string> {
  const [row] = await insertToken(tx, { ...token })
  if (row === undefined) throw new Error('an inserted token was not returned')
  return row.jti
}

const holderColumns = {
  guid: users.guid,
  chatPlatformId: users.chatPlatformId,
  globalRoles: users.globalRoles,
  clientId: grants.clientId,
  grantGuid: accessTokens.grantGuid,
  sessionGuid: accessTokens.sessionGuid,
  expiresAt: accessTokens.expiresAt,
}

const counts = and(
  isNull(accessTokens.revokedAt),
  isNull(grants.revokedAt),
  gte(accessTokens.issuedAt, users.credentialsValidFrom),
  isNull(users.bannedAt),
  isNull(users.anonymisedAt),
)

const holderOfToken = statement('tokens.holder', (orm) =>
  orm
    .select(holderColumns)
    .from(accessTokens)
    .innerJoin(users, eq(users.guid, accessTokens.userGuid))
    .leftJoin(grants, eq(grants.guid, accessTokens.grantGuid))
    .where(and(eq(accessTokens.jti, sql.placeholder('jti')), counts)),
)

/** The holder of a token that is valid and not revoked; undefined for any other. */
export async function findHolderOfToken(db: Db, jti: string): Promise<TokenHolder | undefined> {
  return (await holderOfToken(db, { jti }))[0]
}

const holdersOfTokens = statement('tokens.holders', (orm) =>
  orm
    .select({ jti: accessTokens.jti, holder: holderColumns })
    .from(accessTokens)
    .innerJoin(users, eq(users.guid, accessTokens.userGuid))
    .leftJoin(grants, eq(grants.guid, accessTokens.grantGuid))
    .where(and(sql`${accessTokens.jti} = any(${sql.placeholder('jtis')}::uuid[])`, counts)),
)

/** The holders of several tokens, by their `jti`; as in `findHolderOfToken`, only of valid tokens. */
export async function findHoldersOfTokens(db: Db, jtis: readonly string[]): Promise<ReadonlyMap<string, TokenHolder>> {
  if (jtis.length === 0) return new Map()
  const rows = await holdersOfTokens(db, { jtis })
  return new Map(rows.map(({ jti, holder }) => [jti, holder]))
}

/** Revokes the tokens of a session. */
export async function revokeTokensOfSession(tx: Tx, sessionGuid: string, now: Date): Promise<void> {
  await tx.session.orm
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(
      and(eq(accessTokens.sessionGuid, sessionGuid), isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now)),
    )
}

/** Revokes one token. Returns whether it was valid until now. */
export async function revokeAccessToken(tx: Tx, jti: string, now: Date): Promise<boolean> {
  const rows = await tx.session.orm
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(eq(accessTokens.jti, jti), isNull(accessTokens.revokedAt)))
    .returning({ jti: accessTokens.jti })
  return rows.length > 0
}

/** Deletes at most `limit` expired tokens; returns their number. */
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
