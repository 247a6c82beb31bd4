import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { brackets } from '../tables.ts'

/**
 * Locks all brackets of a tournament, so that no result changes until the transaction ends. Call under
 * `lockTournament`.
 */
export async function lockResults(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm
    .select({ guid: brackets.guid })
    .from(brackets)
    .where(eq(brackets.tournamentGuid, tournamentGuid))
    .orderBy(asc(brackets.guid))
    .for('update')
}
