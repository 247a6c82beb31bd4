import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { badgeGrants, badges } from '../tables.ts'
import type { Badge, Grant, GrantSource, Recipient } from '../types.ts'

const { grantedBy: _giver, ...columns } = getTableColumns(badgeGrants)

/** Accounts of these that there are; they stay until the transaction ends. */
export async function keepRecipients(tx: Tx, guids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.session.orm
    .select({ guid: users.guid })
    .from(users)
    .where(sql`${users.guid} = any(${sql.param(guids)}::uuid[]) and ${users.anonymisedAt} is null`)
    .orderBy(users.guid)
    .for('key share')
  return new Set(rows.map(({ guid }) => guid))
}

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
