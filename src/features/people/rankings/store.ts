import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, pick, rowsOf } from '../../../infra/db/personal-data.ts'
import { identities } from '../users/tables.ts'
import { rankingProfiles as profiles, rankingProfiles } from './tables.ts'
import type { Account, Profile } from './types.ts'

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

/** Pairs of platform and external ID, given as two arrays of the same length. */
const accountsGiven = sql`(select * from unnest(${sql.placeholder('platforms')}::text[], ${sql.placeholder('externalIds')}::text[]))`

const profilesOf = statement('rankings.profiles', (orm) =>
  orm
    .select()
    .from(rankingProfiles)
    .where(sql`(${rankingProfiles.platform}, ${rankingProfiles.externalId}) in ${accountsGiven}`),
)

/** Lists the saved profiles of the accounts, however old. */
export async function listProfiles(db: Db, accounts: readonly Account[]): Promise<Profile[]> {
  return accounts.length === 0 ? [] : profilesOf(db, columnsOf(accounts))
}

const ownersOf = statement('rankings.owners', (orm) =>
  orm
    .select({ userGuid: identities.userGuid })
    .from(identities)
    .where(
      and(
        sql`(${identities.platform}, ${identities.externalId}) in ${accountsGiven}`,
        isNotNull(identities.verifiedAt),
      ),
    ),
)

/** Lists the GUIDs of the users who have verified that the accounts are theirs. */
export async function listOwners(db: Db, accounts: readonly Account[]): Promise<string[]> {
  if (accounts.length === 0) return []
  return (await ownersOf(db, columnsOf(accounts))).map((row) => row.userGuid)
}

/** Saves profiles, unless a newer one is saved already. */
export async function upsertProfiles(tx: Tx, profiles: readonly Profile[]): Promise<void> {
  if (profiles.length === 0) return
  await tx.session.orm
    .insert(rankingProfiles)
    .values([...profiles])
    .onConflictDoUpdate({
      target: [rankingProfiles.platform, rankingProfiles.externalId],
      set: {
        name: sql`excluded.name`,
        country: sql`excluded.country`,
        rank: sql`excluded.rank`,
        fetchedAt: sql`excluded.fetched_at`,
      },
      setWhere: sql`${rankingProfiles.fetchedAt} < excluded.fetched_at`,
    })
}

function columnsOf(accounts: readonly Account[]) {
  return {
    platforms: accounts.map((account) => account.platform),
    externalIds: accounts.map((account) => account.externalId),
  }
}
