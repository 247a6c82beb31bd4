import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'

/**
 * Objects have no rows of their own. Whoever is about to name one in a row keeps it from being swept until their transaction
 * ends, and looks then whether it is there. (M13)
 */
export async function holdObject(tx: Tx, digest: string): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock_shared(${keyOf(digest)})`)
}

/** For whoever is about to remove it; false while somebody holds it. */
export async function lockObject(tx: Tx, digest: string): Promise<boolean> {
  const { rows } = await tx.session.orm.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${keyOf(digest)}) as locked`,
  )
  return rows[0]?.locked ?? false
}

function keyOf(digest: string): SQL {
  return sql`hashtextextended(${`media ${digest}`}, 0)`
}
