import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { GlobalRole } from '../core/roles.ts'
import type { Scope } from '../core/scopes.ts'
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
  const rows = await tx.session.orm
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(eq(accessTokens.sessionGuid, sessionGuid), isNull(accessTokens.revokedAt)))
    .returning({ jti: accessTokens.jti })
  return rows.map((row) => row.jti)
}

export async function deleteExpiredTokens(tx: Tx, now: Date): Promise<void> {
  await tx.session.orm.delete(accessTokens).where(lt(accessTokens.expiresAt, now))
}
