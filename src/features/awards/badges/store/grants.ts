import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import type { ShownAs } from '../rules/showing.ts'
import { badgeGrants, badges } from '../tables.ts'
import type { Badge, Grant, GrantSource, Recipient } from '../types.ts'

const { grantedBy: _giver, ...columns } = getTableColumns(badgeGrants)

/** Inserts grants, except for users who hold the badge already. The caller must hold the badge's lock. (B1) */
export async function insertGrants(
  tx: Tx,
  { guid: badgeGuid }: Pick<Badge, 'guid'>,
  recipients: readonly Recipient[],
  {
    awardedAt,
    source,
    grantedBy,
  }: { readonly awardedAt: Date; readonly source: GrantSource; readonly grantedBy: string | null },
): Promise<Grant[]> {
  if (recipients.length === 0) return []
  const { orm } = tx.session
  const grants = await orm
    .insert(badgeGrants)
    .values(
      recipients.map(({ userGuid, label, place, awardedAt: ownAt }) => ({
        badgeGuid,
        userGuid,
        label: label ?? null,
        place: place ?? null,
        awardedAt: ownAt ?? awardedAt,
        source,
        grantedBy,
      })),
    )
    .onConflictDoNothing()
    .returning(columns)
  await orm
    .update(badges)
    .set({ holders: sql`${badges.holders} + ${grants.length}` })
    .where(eq(badges.guid, badgeGuid))
  return grants
}

/** A grant of this badge, held or revoked. The caller must hold the badge's lock. */
export async function findGrant(tx: Tx, badgeGuid: string, guid: string): Promise<Grant | undefined> {
  const [grant] = await tx.session.orm
    .select(columns)
    .from(badgeGrants)
    .where(and(eq(badgeGrants.guid, guid), eq(badgeGrants.badgeGuid, badgeGuid)))
  return grant
}

/**
 * Revokes the badge of the users who hold it. The rows stay, and the number of holders decreases. The caller must hold
 * the badge's lock. (B1)
 */
export async function revokeGrants(
  tx: Tx,
  badgeGuid: string,
  userGuids: readonly string[],
  reason: string,
  now: Date,
): Promise<Grant[]> {
  if (userGuids.length === 0) return []
  const { orm } = tx.session
  const held = and(
    eq(badgeGrants.badgeGuid, badgeGuid),
    sql`${badgeGrants.userGuid} = any(${sql.param([...userGuids])}::uuid[])`,
    isNull(badgeGrants.revokedAt),
  )
  // Locks the grants in the same order as `lockHeldBy`.
  await orm.select({ guid: badgeGrants.guid }).from(badgeGrants).where(held).orderBy(badgeGrants.guid).for('update')
  const grants = await orm
    .update(badgeGrants)
    .set({ revokedAt: now, revokeReason: reason })
    .where(held)
    .returning(columns)
  await orm
    .update(badges)
    .set({ holders: sql`${badges.holders} - ${grants.length}` })
    .where(eq(badges.guid, badgeGuid))
  return grants
}

/** Locks the grants that a user holds, in ascending order of GUID, until the transaction ends. */
export async function lockHeldBy(tx: Tx, userGuid: string): Promise<Grant[]> {
  return tx.session.orm
    .select(columns)
    .from(badgeGrants)
    .where(and(eq(badgeGrants.userGuid, userGuid), isNull(badgeGrants.revokedAt)))
    .orderBy(badgeGrants.guid)
    .for('update')
}

/**
 * Sets the order of a user's grants and which of them are hidden. It is a single statement: if a transaction updates a
 * row twice, its foreign keys are checked, which waits for a transaction that has the badge locked.
 */
export async function setShown(tx: Tx, userGuid: string, { order, hidden }: ShownAs): Promise<void> {
  const at = (guids: readonly string[]) => sql`${sql.param([...guids])}::uuid[]`
  await tx.session.orm
    .update(badgeGrants)
    .set({
      ...(order === undefined ? {} : { position: sql`array_position(${at(order)}, ${badgeGrants.guid})` }),
      ...(hidden === undefined ? {} : { hidden: sql`${badgeGrants.guid} = any(${at(hidden)})` }),
    })
    .where(and(eq(badgeGrants.userGuid, userGuid), isNull(badgeGrants.revokedAt)))
}

/** Locks the badges that a user holds or held, in ascending order, until the transaction ends. */
export async function lockBadgesOf(tx: Tx, userGuid: string): Promise<void> {
  const { orm } = tx.session
  const held = orm.select({ guid: badgeGrants.badgeGuid }).from(badgeGrants).where(eq(badgeGrants.userGuid, userGuid))
  await orm
    .select({ guid: badges.guid })
    .from(badges)
    .where(inArray(badges.guid, held))
    .orderBy(badges.guid)
    .for('update')
}

/**
 * Deletes all grants of a user, revoked ones too, and decreases the numbers of holders.
 * (B10)
 */
export async function deleteGrantsOf(tx: Tx, { guid: userGuid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  const rows = await orm
    .delete(badgeGrants)
    .where(eq(badgeGrants.userGuid, userGuid))
    .returning({ badgeGuid: badgeGrants.badgeGuid, revokedAt: badgeGrants.revokedAt })
  const held = rows.filter(({ revokedAt }) => revokedAt === null).map(({ badgeGuid }) => badgeGuid)
  if (held.length > 0) {
    // A user holds a badge at most once.
    await orm
      .update(badges)
      .set({ holders: sql`${badges.holders} - 1` })
      .where(inArray(badges.guid, held))
  }
}
