import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { identities } from '../tables.ts'
import type { IdentityPlatform } from '../types.ts'

/** Links of users to accounts elsewhere. Whoever writes one has locked its user before. */

/** An account on a platform, by its name there as it is kept. */
interface Account {
  readonly platform: IdentityPlatform
  readonly externalId: string
}

/**
 * Lets links to a platform's accounts be set one after the other until the transaction ends: nobody claims an account
 * while somebody else proves that it is theirs, and two who prove at once do not wait for each other in a circle.
 */
export async function lockLinks(tx: Tx, platform: IdentityPlatform): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('identities ' || ${platform}::text, 0))`,
  )
}

/** Links an account as proven, or removes the link when `externalId` is null. Unproven claims of others fall. (D50) */
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

type Link = Required<typeof identities.$inferInsert>

/** A link that already led to the account keeps its age. */
async function putLink(tx: Tx, link: Link): Promise<void> {
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
