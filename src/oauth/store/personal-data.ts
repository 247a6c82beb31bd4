import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../infra/db/database.ts'
import { accessTokens, applications, authorizationCodes, consents, deviceRequests, grants } from '../tables.ts'

/** What the authorization server keeps about a user. Codes and requests of devices are on their way for minutes alone. */

/** Without their secrets. */
export async function listApplicationsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      clientId: applications.clientId,
      name: applications.name,
      imageUrl: applications.imageUrl,
      type: applications.type,
      scopes: applications.scopes,
      redirectUris: applications.redirectUris,
      createdAt: applications.createdAt,
      updatedAt: applications.updatedAt,
    })
    .from(applications)
    .where(eq(applications.ownerGuid, userGuid))
    .orderBy(desc(applications.createdAt), desc(applications.clientId))
    .limit(limit)
}

export async function listConsentsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      clientId: consents.clientId,
      scopes: consents.scopes,
      createdAt: consents.createdAt,
      updatedAt: consents.updatedAt,
    })
    .from(consents)
    .where(eq(consents.userGuid, userGuid))
    .orderBy(desc(consents.updatedAt), consents.clientId)
    .limit(limit)
}

export async function listGrantsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: grants.guid,
      clientId: grants.clientId,
      scopes: grants.scopes,
      createdAt: grants.createdAt,
      usedAt: grants.usedAt,
      revokedAt: grants.revokedAt,
    })
    .from(grants)
    .where(eq(grants.userGuid, userGuid))
    .orderBy(desc(grants.createdAt), desc(grants.guid))
    .limit(limit)
}

export async function listTokensOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      jti: accessTokens.jti,
      grantGuid: accessTokens.grantGuid,
      signInGuid: accessTokens.sessionGuid,
      scopes: accessTokens.scopes,
      issuedAt: accessTokens.issuedAt,
      expiresAt: accessTokens.expiresAt,
      revokedAt: accessTokens.revokedAt,
    })
    .from(accessTokens)
    .where(eq(accessTokens.userGuid, userGuid))
    .orderBy(desc(accessTokens.issuedAt), desc(accessTokens.jti))
    .limit(limit)
}

/** Deletes what a user has granted, and their own applications with all that others granted these; answers which. */
export async function deleteAllOf(tx: Tx, userGuid: string): Promise<string[]> {
  const { orm } = tx.session
  const deleted = await orm
    .delete(applications)
    .where(eq(applications.ownerGuid, userGuid))
    .returning({ clientId: applications.clientId })
  await orm.delete(authorizationCodes).where(eq(authorizationCodes.userGuid, userGuid))
  await orm.delete(deviceRequests).where(eq(deviceRequests.userGuid, userGuid))
  await orm.delete(grants).where(eq(grants.userGuid, userGuid))
  await orm.delete(consents).where(eq(consents.userGuid, userGuid))
  await orm.delete(accessTokens).where(eq(accessTokens.userGuid, userGuid))
  return deleted.map(({ clientId }) => clientId)
}
