import { asc, eq, inArray, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { qualifierSyncs as syncs, qualifierUnmatched as unmatched } from '../tables.ts'
import type { Sync, UnmatchedRow } from '../types.ts'

const never: Sync = { fetchedAt: null, rowCount: 0, lastError: null }

export async function readSync(db: Db, qualifierGuid: string): Promise<Sync> {
  const [row] = await db.session.orm
    .select({ fetchedAt: syncs.fetchedAt, rowCount: syncs.rowCount, lastError: syncs.lastError })
    .from(syncs)
    .where(eq(syncs.qualifierGuid, qualifierGuid))
  return row ?? never
}

export async function saveSync(tx: Tx, qualifierGuid: string, sync: Sync): Promise<void> {
  await tx.session.orm
    .insert(syncs)
    .values({ qualifierGuid, ...sync })
    .onConflictDoUpdate({ target: syncs.qualifierGuid, set: sync })
}

const maxUnmatched = 500

/** Unmatched rows of the last good board, in the board's order. */
export async function listUnmatched(db: Db, qualifierGuid: string): Promise<UnmatchedRow[]> {
  return db.session.orm
    .select({
      player: unmatched.player,
      userGuid: unmatched.userGuid,
      name: unmatched.name,
      map: unmatched.map,
      score: unmatched.score,
      reason: unmatched.reason,
    })
    .from(unmatched)
    .where(eq(unmatched.qualifierGuid, qualifierGuid))
    .orderBy(asc(unmatched.position))
    .limit(maxUnmatched)
}

/** Replaces the rows of the previous board; above a limit only the first rows are kept. */
export async function replaceUnmatched(tx: Tx, qualifierGuid: string, rows: readonly UnmatchedRow[]): Promise<void> {
  await tx.session.orm.delete(unmatched).where(eq(unmatched.qualifierGuid, qualifierGuid))
  const kept = rows.slice(0, maxUnmatched).map((row, position) => ({ qualifierGuid, position, ...row }))
  if (kept.length > 0) await tx.session.orm.insert(unmatched).values(kept)
}

/** Deletes rows of every board that belong to the user or name one of these ids. */
export async function deleteUnmatched(tx: Tx, userGuid: string, ids: readonly string[]): Promise<void> {
  await tx.session.orm
    .delete(unmatched)
    .where(or(eq(unmatched.userGuid, userGuid), inArray(unmatched.player, [...ids])))
}
