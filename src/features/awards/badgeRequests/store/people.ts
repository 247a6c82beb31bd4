import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import type { SkipReason } from '../types.ts'

/** Locks the users until the transaction ends. Returns those who get no badge, with the reason. (B6) */
export async function lockRecipientsForKeyShare(
  tx: Tx,
  guids: readonly string[],
): Promise<ReadonlyMap<string, SkipReason>> {
  if (guids.length === 0) return new Map()
  const rows = await tx.session.orm
    .select({ guid: users.guid, anonymisedAt: users.anonymisedAt, bannedAt: users.bannedAt })
    .from(users)
    .where(sql`${users.guid} = any(${sql.param([...new Set(guids)])}::uuid[])`)
    .orderBy(users.guid)
    .for('key share')
  const known = new Map(rows.map((row) => [row.guid, row]))
  const unfit = new Map<string, SkipReason>()
  for (const guid of guids) {
    const user = known.get(guid)
    if (user === undefined || user.anonymisedAt !== null) unfit.set(guid, 'account_deleted')
    else if (user.bannedAt !== null) unfit.set(guid, 'banned')
  }
  return unfit
}
