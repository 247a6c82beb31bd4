import { eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { badgeGrants, badges } from '../tables.ts'
import type { Badge, NewBadge } from '../types.ts'

const { importDigest: _known, ...columns } = getTableColumns(badges)

export async function findBadge(db: Db, guid: string): Promise<Badge | undefined> {
  const [badge] = await db.session.orm.select(columns).from(badges).where(eq(badges.guid, guid))
  return badge
}

/** Locks a badge against changes and grants until the transaction ends. */
export async function lockBadge(tx: Tx, guid: string): Promise<Badge | undefined> {
  const [badge] = await tx.session.orm.select(columns).from(badges).where(eq(badges.guid, guid)).for('update')
  return badge
}

/** Locks a tournament against deletion until the transaction ends. Returns whether it exists. */
export async function lockTournamentForKeyShare(tx: Tx, guid: string): Promise<boolean> {
  const rows = await tx.session.orm
    .select({ guid: tournaments.guid })
    .from(tournaments)
    .where(eq(tournaments.guid, guid))
    .for('key share')
  return rows.length > 0
}

export async function insertBadge(
  tx: Tx,
  badge: NewBadge & { readonly imageUrl: string; readonly createdBy: string | null },
  now: Date,
): Promise<Badge> {
  const [row] = await tx.session.orm
    .insert(badges)
    .values({ ...badge, createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted badge was not returned')
  return row
}

export type BadgeChanges = Partial<
  Pick<Badge, 'name' | 'description' | 'kind' | 'mediaGuid' | 'imageUrl' | 'tournamentGuid' | 'retiredAt'>
>

export async function updateBadge(tx: Tx, guid: string, changes: BadgeChanges, now: Date): Promise<Badge> {
  const [row] = await tx.session.orm
    .update(badges)
    .set({ ...changes, updatedAt: now })
    .where(eq(badges.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated badge was not returned')
  return row
}

/** Whether anybody holds or held the badge, by the rows that still exist. The caller must hold the badge's lock. */
export async function wasEverHeld(tx: Tx, guid: string): Promise<boolean> {
  const rows = await tx.session.orm
    .select({ guid: badgeGrants.guid })
    .from(badgeGrants)
    .where(eq(badgeGrants.badgeGuid, guid))
    .limit(1)
  return rows.length > 0
}

export async function deleteBadge(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(badges).where(eq(badges.guid, guid))
}
