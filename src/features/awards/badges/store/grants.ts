import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import type { ShownAs } from '../rules/showing.ts'
import { badgeGrants, badges } from '../tables.ts'
import type { Badge, Grant, GrantSource, Recipient } from '../types.ts'

const { grantedBy: _giver, ...columns } = getTableColumns(badgeGrants)

/** Leaves out whoever holds the badge already. Call it with the badge locked. (B1) */
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
        ...{ badgeGuid, userGuid, label: label ?? null, place: place ?? null },
        ...{ awardedAt: ownAt ?? awardedAt, source, grantedBy },
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

/** One that is held or was revoked, of this badge. Call it with the badge locked. */
export async function findGrant(tx: Tx, badgeGuid: string, guid: string): Promise<Grant | undefined> {
  const [grant] = await tx.session.orm
    .select(columns)
    .from(badgeGrants)
    .where(and(eq(badgeGrants.guid, guid), eq(badgeGrants.badgeGuid, badgeGuid)))
  return grant
}

/** Of those of the users who hold the badge: the rows stay, and fewer holders are counted. Call it with the badge locked. (B1) */
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
  // In the order in which holders lock what they have.
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

/** Those that a user holds, by GUID in ascending order; nobody else changes them until the transaction ends. */
export async function lockHeldBy(tx: Tx, userGuid: string): Promise<Grant[]> {
  return tx.session.orm
    .select(columns)
    .from(badgeGrants)
    .where(and(eq(badgeGrants.userGuid, userGuid), isNull(badgeGrants.revokedAt)))
    .orderBy(badgeGrants.guid)
    .for('update')
}

/**
 * Has a user's grants stand in an order, before all others of theirs, and some be hidden, all others shown. In one statement: a
 * row that its transaction changes twice has its references checked, which waits for whoever has its badge locked.
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

/** The badges that somebody holds or held, in ascending order, stay as they are until the transaction ends. */
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

/** Those that were revoked too; fewer holders are counted of what was held. Answers of which badges. (B10) */
export async function deleteGrantsOf(tx: Tx, userGuid: string): Promise<string[]> {
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
  return held
}
