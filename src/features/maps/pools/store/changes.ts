import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { poolChanges } from '../tables.ts'
import type { ChangeKind } from '../types.ts'
import type { PoolMapView } from '../views/map.ts'

/** A map as poolers saw it, and its position among the maps that everybody saw; null if it was not among them. */
export interface Snapshot {
  readonly view: PoolMapView
  readonly shownOrder: number | null
}

export interface Change {
  readonly guid: string
  readonly poolGuid: string
  readonly revision: number
  readonly kind: ChangeKind
  readonly before: readonly Snapshot[] | null
  readonly after: readonly Snapshot[] | null
  readonly reason: string | null
  readonly byGuid: string | null
  readonly at: Date
  /** Whether the change was visible to everybody. */
  readonly isShown: boolean
}

export async function insertChange(tx: Tx, change: Omit<Change, 'guid'>): Promise<void> {
  await tx.session.orm.insert(poolChanges).values(change)
}

const maxChanges = 100
/** Maximum number of maps in all listed changes together. A single change may contain all maps of a pool. */
const maxMaps = 1_000

const columns = getTableColumns(poolChanges)

const newest = statement('pool_changes.newest', (orm) => {
  const sizes = sql<number>`sum(coalesce(jsonb_array_length(${poolChanges.before}), 0) + coalesce(jsonb_array_length(${poolChanges.after}), 0))
    over (partition by ${poolChanges.poolGuid} order by ${poolChanges.at} desc, ${poolChanges.guid} desc)`
  const rows = orm
    .select({ ...columns, size: sizes.as('size') })
    .from(poolChanges)
    .where(
      and(
        eq(poolChanges.poolGuid, sql.placeholder('poolGuid')),
        sql`(${sql.placeholder('since')}::timestamptz is null or (
          ${poolChanges.isShown} and ${poolChanges.at} >= ${sql.placeholder('since')}::timestamptz))`,
      ),
    )
    .orderBy(desc(poolChanges.at), desc(poolChanges.guid))
    .limit(maxChanges)
    .as('newest')
  return orm.select().from(rows).where(sql`${rows.size} <= ${maxMaps}`).orderBy(desc(rows.at), desc(rows.guid))
})

/**
 * Newest first.
 * @param shownSince lists only changes since then that everybody saw; null for all changes, earlier publications
 *   included
 */
export async function listChanges(db: Db, poolGuid: string, shownSince: Date | null): Promise<readonly Change[]> {
  return (await newest(db, { poolGuid, since: shownSince?.toISOString() ?? null })) as readonly Change[]
}
