import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { rankingProfiles } from '../../rankings/tables.ts'
import { identities } from '../tables.ts'
import type { IdentityPlatform, Link } from '../types.ts'

/** Links of users to accounts elsewhere. Whoever writes one has locked the row of its user. */

/** An account on a platform, by its name there as it is kept. */
interface Account {
  readonly platform: IdentityPlatform
  readonly externalId: string
}

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
  { platform, externalId }: Account,
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

/**
 * Serialises writes of links to a platform's accounts until the transaction ends: nobody claims an account while somebody
 * else proves that it is theirs, and two who prove accounts at the same time do not deadlock.
 */
export async function lockLinks(tx: Tx, platform: IdentityPlatform): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('identities ' || ${platform}::text, 0))`,
  )
}

/** Links an account as proven, or removes the link when `externalId` is null. Deletes others' unproven claims. (D50) */
export async function setVerifiedLink(
  tx: Tx,
  userGuid: string,
  platform: IdentityPlatform,
  externalId: string | null,
  now: Date,
  verifiedAt = now,
): Promise<void> {
  if (externalId === null) {
    await deleteLink(tx, userGuid, platform)
    return
  }
  await lockLinks(tx, platform)
  await tx.session.orm
    .delete(identities)
    .where(
      and(
        eq(identities.platform, platform),
        eq(identities.externalId, externalId),
        isNull(identities.verifiedAt),
        ne(identities.userGuid, userGuid),
      ),
    )
  const account = { userGuid, platform, externalId }
  await putLink(tx, { ...account, verifiedAt, proofCode: null, proofMadeAt: null, createdAt: now })
}

/**
 * Claims an account for a user, in place of whatever they had linked on the platform. With a code it can be proven.
 * Unverified, hence of no effect beyond the user's own list. (D50)
 */
export async function setClaim(
  tx: Tx,
  userGuid: string,
  account: Account,
  proofCode: string | null,
  now: Date,
): Promise<void> {
  const proofMadeAt = proofCode === null ? null : now
  await putLink(tx, { userGuid, ...account, verifiedAt: null, proofCode, proofMadeAt, createdAt: now })
}

type LinkRow = Required<typeof identities.$inferInsert>

/** A link to the same account keeps its `createdAt`. */
async function putLink(tx: Tx, link: LinkRow): Promise<void> {
  const { externalId, verifiedAt, proofCode, proofMadeAt } = link
  const createdAt = sql`case when ${identities.externalId} = excluded.external_id then ${identities.createdAt} else excluded.created_at end`
  await tx.session.orm
    .insert(identities)
    .values(link)
    .onConflictDoUpdate({
      target: [identities.userGuid, identities.platform],
      set: { externalId, verifiedAt, proofCode, proofMadeAt, createdAt },
    })
}

/** Answers whether there was one. */
export async function deleteLink(tx: Tx, userGuid: string, platform: IdentityPlatform): Promise<boolean> {
  const deleted = await tx.session.orm
    .delete(identities)
    .where(and(eq(identities.userGuid, userGuid), eq(identities.platform, platform)))
    .returning({ platform: identities.platform })
  return deleted.length > 0
}
