import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { identities } from '../../users/tables.ts'
import { rankingProfiles } from '../tables.ts'

/** The cached profiles of accounts that a user has linked. They are found by the links, hence deleted before these. */
export const rankingsPersonalData = {
  sections: { rankingProfiles: listProfilesOf },
  forget: deleteProfilesOf,
}

async function listProfilesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      platform: rankingProfiles.platform,
      externalId: rankingProfiles.externalId,
      name: rankingProfiles.name,
      country: rankingProfiles.country,
      rank: rankingProfiles.rank,
      fetchedAt: rankingProfiles.fetchedAt,
    })
    .from(identities)
    .innerJoin(
      rankingProfiles,
      and(eq(rankingProfiles.platform, identities.platform), eq(rankingProfiles.externalId, identities.externalId)),
    )
    .where(eq(identities.userGuid, userGuid))
    .orderBy(desc(rankingProfiles.fetchedAt))
    .limit(limit)
}

/** For another user who has linked the same account, the platform is asked again. */
async function deleteProfilesOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm
    .delete(rankingProfiles)
    .where(
      sql`(${rankingProfiles.platform}, ${rankingProfiles.externalId}) in (select ${identities.platform}, ${identities.externalId} from ${identities} where ${identities.userGuid} = ${guid})`,
    )
}
