import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { teamWithdrawals } from '../tables.ts'
import type { KeptWithdrawal } from '../types.ts'

/** The former state of a withdrawn team; undefined if the team has not withdrawn. */
export async function findWithdrawal(db: Db, teamGuid: string): Promise<KeptWithdrawal | undefined> {
  const { policy, state, brackets } = teamWithdrawals
  const [row] = await db.session.orm
    .select({ policy, state, brackets })
    .from(teamWithdrawals)
    .where(eq(teamWithdrawals.teamGuid, teamGuid))
  return row
}

export async function insertWithdrawal(tx: Tx, teamGuid: string, withdrawal: KeptWithdrawal): Promise<void> {
  const { policy, state, brackets } = withdrawal
  await tx.session.orm.insert(teamWithdrawals).values({ teamGuid, policy, state, brackets: [...brackets] })
}

export async function deleteWithdrawal(tx: Tx, teamGuid: string): Promise<void> {
  await tx.session.orm.delete(teamWithdrawals).where(eq(teamWithdrawals.teamGuid, teamGuid))
}
