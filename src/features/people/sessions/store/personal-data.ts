import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { sessions, signInPlaces } from '../tables.ts'

/** What is kept about a user's sign-ins. */
export const sessionsPersonalData = {
  sections: { signIns: listSignInsOf, signInPlaces: listPlacesOf },
  forget: deleteSignIns,
}

async function listSignInsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: sessions.guid,
      isWebsite: sql<boolean>`${sessions.secretHash} is not null`,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      revokedAt: sessions.revokedAt,
    })
    .from(sessions)
    .where(eq(sessions.userGuid, userGuid))
    .orderBy(desc(sessions.createdAt), desc(sessions.guid))
    .limit(limit)
}

/** Places are digests, of which the export shows only when they were used. */
async function listPlacesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ lastSeenAt: signInPlaces.lastSeenAt })
    .from(signInPlaces)
    .where(eq(signInPlaces.userGuid, userGuid))
    .orderBy(desc(signInPlaces.lastSeenAt))
    .limit(limit)
}

async function deleteSignIns(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  await orm.delete(sessions).where(eq(sessions.userGuid, guid))
  await orm.delete(signInPlaces).where(eq(signInPlaces.userGuid, guid))
}
