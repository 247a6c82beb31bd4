import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { rankingProfiles } from '../../rankings/tables.ts'
import { identities } from '../tables.ts'
import type { IdentityPlatform, Link } from '../types.ts'

/** Links of users to accounts on other platforms. Lock the user's row before changing one. */

/** An account on a platform, by its ID in the form in which it is saved. */
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

/** Lists a user's links, ordered by platform. */
export async function listLinks(db: Db, userGuid: string): Promise<Link[]> {
  return selectLinks(db).where(eq(identities.userGuid, userGuid)).orderBy(identities.platform)
}

export async function findLink(db: Db, userGuid: string, platform: IdentityPlatform): Promise<Link | undefined> {
  const [link] = await selectLinks(db).where(and(eq(identities.userGuid, userGuid), eq(identities.platform, platform)))
  return link
}

/** Whether another user has verified that the account is theirs. */
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
 * Locks the links to a platform's accounts until the transaction ends. So nobody can claim an account while another
 * user verifies it, and concurrent verifications do not deadlock.
 */
export async function lockLinks(tx: Tx, platform: IdentityPlatform): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('identities ' || ${platform}::text, 0))`,
  )
}

/**
 * Saves a verified link, or removes the link if `externalId` is null. Deletes other users' unverified claims of the
 * account. (D50)
 */
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
 * Saves a user's claim of an account, in place of their link on the platform. With a code it can be verified. Until
 * then it has no effect outside the user's own list. (D50)
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

/** Returns false if there was no link. */
export async function deleteLink(tx: Tx, userGuid: string, platform: IdentityPlatform): Promise<boolean> {
  const deleted = await tx.session.orm
    .delete(identities)
    .where(and(eq(identities.userGuid, userGuid), eq(identities.platform, platform)))
    .returning({ platform: identities.platform })
  return deleted.length > 0
}
