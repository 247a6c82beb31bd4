import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { badgeGrants, badges } from '../tables.ts'
import { deleteGrantsOf, lockBadgesOf } from './grants.ts'

/** Badges that a user holds and held, and what they made as a manager. (B10) */
export const badgesPersonalData = {
  sections: { badges: listGrantsTo, badgesGranted: listGrantsBy, badgesMade: listBadgesBy },
  lock: (tx: Tx, { guid }: { readonly guid: string }) => lockBadgesOf(tx, guid),
  forget: forgetUser,
}

/** Hidden and revoked ones too. */
async function listGrantsTo(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: badgeGrants.guid,
      badgeGuid: badgeGrants.badgeGuid,
      name: badges.name,
      label: badgeGrants.label,
      place: badgeGrants.place,
      awardedAt: badgeGrants.awardedAt,
      source: badgeGrants.source,
      hidden: badgeGrants.hidden,
      position: badgeGrants.position,
      revokedAt: badgeGrants.revokedAt,
      revokeReason: badgeGrants.revokeReason,
      createdAt: badgeGrants.createdAt,
    })
    .from(badgeGrants)
    .innerJoin(badges, eq(badges.guid, badgeGrants.badgeGuid))
    .where(eq(badgeGrants.userGuid, userGuid))
    .orderBy(desc(badgeGrants.createdAt), desc(badgeGrants.guid))
    .limit(limit)
}

/** Without whom they were given to. */
async function listGrantsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: badgeGrants.guid,
      badgeGuid: badgeGrants.badgeGuid,
      awardedAt: badgeGrants.awardedAt,
      source: badgeGrants.source,
      createdAt: badgeGrants.createdAt,
    })
    .from(badgeGrants)
    .where(eq(badgeGrants.grantedBy, userGuid))
    .orderBy(desc(badgeGrants.createdAt), desc(badgeGrants.guid))
    .limit(limit)
}

async function listBadgesBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ guid: badges.guid, name: badges.name, createdAt: badges.createdAt })
    .from(badges)
    .where(eq(badges.createdBy, userGuid))
    .orderBy(desc(badges.createdAt), desc(badges.guid))
    .limit(limit)
}

async function forgetUser(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await deleteGrantsOf(tx, guid)
  const { orm } = tx.session
  await orm.update(badgeGrants).set({ grantedBy: null }).where(eq(badgeGrants.grantedBy, guid))
  await orm.update(badges).set({ createdBy: null }).where(eq(badges.createdBy, guid))
}
