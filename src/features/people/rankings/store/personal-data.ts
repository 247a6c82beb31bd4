import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { identities } from '../../users/tables.ts'
import { rankingProfiles as profiles } from '../tables.ts'

/** The cached profiles of the user's linked accounts. The links find them, so the profiles are deleted first. */
export const rankingsPersonalData = declarePersonalData({
  sections: {
    rankingProfiles: rowsOf(identities, 'userGuid', {
      join: [profiles, and(eq(profiles.platform, identities.platform), eq(profiles.externalId, identities.externalId))],
      shows: [pick(profiles, 'platform', 'externalId', 'name', 'country', 'rank', 'fetchedAt')],
      order: [desc(profiles.fetchedAt)],
    }),
  },
  forget: [deleteProfilesOf],
})

/** If another user has linked the same account, the platform is asked again. */
async function deleteProfilesOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm
    .delete(profiles)
    .where(
      sql`(${profiles.platform}, ${profiles.externalId}) in (select ${identities.platform}, ${identities.externalId} from ${identities} where ${identities.userGuid} = ${guid})`,
    )
}
