import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import {
  availabilityResponses as answers,
  availabilitySheets as sheets,
  availabilityTeamResponses as teamAnswers,
} from '../tables.ts'

/**
 * What a user has said of their own time goes with the account. Sheets that they made and what they answered as a captain
 * stay: others go on with them, and they know their author by the GUID alone.
 */
export const availabilityPersonalData = {
  sections: { availability: listAnswersOf, availabilitySheets: listSheetsBy, teamAvailability: listTeamAnswersBy },
  forget: deleteAnswersOf,
}

async function listAnswersOf(db: Db, userGuid: string, limit: number) {
  const rows = await db.session.orm
    .select({
      tournamentGuid: sheets.tournamentGuid,
      sheetGuid: answers.sheetGuid,
      role: answers.role,
      runs: answers.runs,
      matches: answers.matches,
      submittedAt: answers.submittedAt,
    })
    .from(answers)
    .innerJoin(sheets, eq(sheets.guid, answers.sheetGuid))
    .where(eq(answers.userGuid, userGuid))
    .orderBy(desc(answers.submittedAt), desc(answers.guid))
    .limit(limit)
  return rows.map(({ runs, ...row }) => ({ ...row, times: runs.map(timeOf) }))
}

async function listSheetsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: sheets.guid,
      tournamentGuid: sheets.tournamentGuid,
      title: sheets.title,
      description: sheets.description,
      createdAt: sheets.createdAt,
      updatedAt: sheets.updatedAt,
    })
    .from(sheets)
    .where(eq(sheets.createdByGuid, userGuid))
    .orderBy(desc(sheets.createdAt), desc(sheets.guid))
    .limit(limit)
}

async function listTeamAnswersBy(db: Db, userGuid: string, limit: number) {
  const rows = await db.session.orm
    .select({
      sheetGuid: teamAnswers.sheetGuid,
      teamGuid: teamAnswers.teamGuid,
      runs: teamAnswers.runs,
      submittedAt: teamAnswers.submittedAt,
    })
    .from(teamAnswers)
    .where(eq(teamAnswers.updatedByGuid, userGuid))
    .orderBy(desc(teamAnswers.submittedAt))
    .limit(limit)
  return rows.map(({ runs, ...row }) => ({ ...row, times: runs.map(timeOf) }))
}

function timeOf({ start, end, ...answer }: (typeof answers.$inferSelect)['runs'][number]) {
  return { startsAt: new Date(start), endsAt: new Date(end), ...answer }
}

async function deleteAnswersOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(answers).where(eq(answers.userGuid, guid))
}
