import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'

/**
 * Holds one of the two places for imports, and the user's own one, until the transaction ends: also against other
 * processes. (P6)
 * @returns which of them is taken; null if the transaction has both
 */
export async function takeImportPlace(tx: Tx, userGuid: string): Promise<'user' | 'service' | null> {
  const { rows } = await tx.session.orm.execute<{ taken: 'user' | 'service' | null }>(sql`
    select case
      when not pg_try_advisory_xact_lock(hashtextextended('import of ' || ${userGuid}::text, 0)) then 'user'
      when pg_try_advisory_xact_lock(hashtextextended('import 1', 0)) then null
      when pg_try_advisory_xact_lock(hashtextextended('import 2', 0)) then null
      else 'service'
    end as taken`)
  return rows[0]?.taken ?? null
}
