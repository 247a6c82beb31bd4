import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { availabilityResponses as answers, availabilityTeamResponses as teamAnswers } from '../tables.ts'
import type { StaffAnswers } from '../types.ts'

/** Locks of answers, which are there before the answers are. */

/** Locks the answers, also where there are none yet, so that of two submissions the second sees the first. */
async function lockAnswers(tx: Tx, key: string): Promise<void> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`answers ${key}`}, 0))`)
}

/** Locks the answers of the user in this role. @returns when they were given; null if there are none */
export async function lockStaffAnswers(
  tx: Tx,
  { sheetGuid, userGuid, role }: Pick<StaffAnswers, 'sheetGuid' | 'userGuid' | 'role'>,
): Promise<Date | null> {
  await lockAnswers(tx, `${sheetGuid} ${userGuid} ${role}`)
  const [row] = await tx.session.orm
    .select({ submittedAt: answers.submittedAt })
    .from(answers)
    .where(and(eq(answers.sheetGuid, sheetGuid), eq(answers.userGuid, userGuid), eq(answers.role, role)))
  return row?.submittedAt ?? null
}

/** Locks the answers of the team. @returns when they were given; null if there are none */
export async function lockTeamAnswers(tx: Tx, sheetGuid: string, teamGuid: string): Promise<Date | null> {
  await lockAnswers(tx, `${sheetGuid} ${teamGuid}`)
  const [row] = await tx.session.orm
    .select({ submittedAt: teamAnswers.submittedAt })
    .from(teamAnswers)
    .where(and(eq(teamAnswers.sheetGuid, sheetGuid), eq(teamAnswers.teamGuid, teamGuid)))
  return row?.submittedAt ?? null
}
