import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { shownPoolsOf } from '../../pools/store/known-maps.ts'
import { flairs, pools } from '../../pools/tables.ts'
import type { PoolStatus } from '../../pools/types.ts'
import { suggestions } from '../tables.ts'

/** Reads tables of other slices, with joins of its own and with weaker locks than those slices take. */

const lockedForShare = statement('suggestions.hold_pool', (orm) =>
  orm
    .select({ status: pools.status })
    .from(pools)
    .where(eq(pools.guid, sql.placeholder('guid')))
    .for('share'),
)

/**
 * Takes a shared lock, so that the pool is neither published nor changed. Many transactions may hold it at the same
 * time. Returns undefined if the pool was deleted.
 */
export async function lockPoolForShare(tx: Tx, guid: string): Promise<PoolStatus | undefined> {
  return (await lockedForShare(tx, { guid }))[0]?.status
}

/**
 * Locks the target pool and flair against deletion. Call before the suggestion is locked: the deletions lock in the
 * same order.
 */
export async function lockTargetsForKeyShare(
  tx: Tx,
  { poolGuid, flairGuid }: { readonly poolGuid: string | null; readonly flairGuid: string | null },
): Promise<void> {
  const { orm } = tx.session
  if (poolGuid !== null)
    await orm.select({ guid: pools.guid }).from(pools).where(eq(pools.guid, poolGuid)).for('key share')
  if (flairGuid !== null) {
    await orm.select({ guid: flairs.guid }).from(flairs).where(eq(flairs.guid, flairGuid)).for('key share')
  }
}

const open = statement('suggestions.map_is_open', (orm) => {
  const map = sql`${sql.placeholder('mapGuid')}::uuid`
  const own = sql`
    select from ${suggestions} s where s.map_guid = ${map} and s.suggested_by_guid = ${sql.placeholder('userGuid')}::uuid`
  return orm
    .select({ isOpen: sql<boolean>`exists (${shownPoolsOf(map)}) or exists (${own})` })
    .from(sql`(values (1)) one`)
})

/**
 * Whether a user who is no pooler may know of a map: it is visible to everybody in some pool, or the user suggested it.
 */
export async function isMapOpenTo(db: Db, userGuid: string, mapGuid: string): Promise<boolean> {
  return (await open(db, { userGuid, mapGuid }))[0]?.isOpen ?? false
}
