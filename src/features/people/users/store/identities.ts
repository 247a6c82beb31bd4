import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { Account, Link } from '../../identities/types.ts'
import { rankingProfiles } from '../../rankings/tables.ts'
import { identities } from '../tables.ts'
import type { IdentityPlatform } from '../types.ts'

const columns = {
  platform: identities.platform,
  externalId: identities.externalId,
  verifiedAt: identities.verifiedAt,
  proofCode: identities.proofCode,
  proofMadeAt: identities.proofMadeAt,
  name: rankingProfiles.name,
  createdAt: identities.createdAt,
}

function selectLinks(db: Db) {
  return db.session.orm
    .select(columns)
    .from(identities)
    .leftJoin(
      rankingProfiles,
      and(eq(rankingProfiles.platform, identities.platform), eq(rankingProfiles.externalId, identities.externalId)),
    )
}

/** By platform. */
export async function listLinks(db: Db, userGuid: string): Promise<Link[]> {
  return selectLinks(db).where(eq(identities.userGuid, userGuid)).orderBy(identities.platform)
}

export async function findLink(db: Db, userGuid: string, platform: IdentityPlatform): Promise<Link | undefined> {
  const [link] = await selectLinks(db).where(and(eq(identities.userGuid, userGuid), eq(identities.platform, platform)))
  return link
}

/** Whether somebody other than the user has proven that the account is theirs. */
export async function isVerifiedByAnother(
  db: Db,
  { platform, externalId }: Pick<Account, 'platform' | 'externalId'>,
  userGuid: string,
): Promise<boolean> {
  const owners = await db.session.orm
    .select({ userGuid: identities.userGuid })
    .from(identities)
    .where(
      and(
        eq(identities.platform, platform),
        eq(identities.externalId, externalId),
        isNotNull(identities.verifiedAt),
        ne(identities.userGuid, userGuid),
      ),
    )
  return owners.length > 0
}
