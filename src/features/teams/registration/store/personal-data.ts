import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { teams } from '../../teams/tables.ts'
import { appearances, fieldAnswers } from '../tables.ts'

/**
 * What a user has told tournaments about themselves, and where they played. The answers are about the person and go with
 * the account, private or not; that somebody played is history, which knows them by their GUID.
 */
export const registrationPersonalData = {
  sections: { answers: listAnswersOf, appearances: listAppearancesOf },
  forget: deleteAnswersOf,
}

async function listAnswersOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: teams.tournamentGuid,
      teamGuid: fieldAnswers.teamGuid,
      fieldGuid: fieldAnswers.fieldGuid,
      response: fieldAnswers.response,
      answeredAt: fieldAnswers.answeredAt,
    })
    .from(fieldAnswers)
    .innerJoin(teams, eq(teams.guid, fieldAnswers.teamGuid))
    .where(eq(fieldAnswers.userGuid, userGuid))
    .orderBy(desc(fieldAnswers.answeredAt), desc(fieldAnswers.guid))
    .limit(limit)
}

async function listAppearancesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ tournamentGuid: appearances.tournamentGuid, firstAt: appearances.firstAt })
    .from(appearances)
    .where(eq(appearances.userGuid, userGuid))
    .orderBy(desc(appearances.firstAt), appearances.tournamentGuid)
    .limit(limit)
}

async function deleteAnswersOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(fieldAnswers).where(eq(fieldAnswers.userGuid, guid))
}
