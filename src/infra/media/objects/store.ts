import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'

/**
 * Objects have no rows of their own. A transaction that is about to name an object in a row holds this lock until it
 * ends, so that the object is not swept, and then checks whether the object exists. (M13)
 */
export async function lockObjectForShare(tx: Tx, digest: string): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock_shared(${keyOf(digest)})`)
}

/** Locks the object for its deletion; false while another transaction holds it. */
export async function lockObject(tx: Tx, digest: string): Promise<boolean> {
  const { rows } = await tx.session.orm.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${keyOf(digest)}) as locked`,
  )
  return rows[0]?.locked ?? false
}

function keyOf(digest: string): SQL {
  return sql`hashtextextended(${`media ${digest}`}, 0)`
}
