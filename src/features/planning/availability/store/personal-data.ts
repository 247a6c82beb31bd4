import { eq } from 'drizzle-orm'
import { declarePersonalData, deleteRows, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import {
  availabilityResponses as answers,
  availabilitySheets as sheets,
  availabilityTeamResponses as teamAnswers,
} from '../tables.ts'

/**
 * A user's own availability is deleted with the account. Sheets that the user made, and answers that the user gave as a
 * captain, stay for others; they name the user by GUID.
 */
export const availabilityPersonalData = declarePersonalData({
  sections: {
    availability: rowsOf(answers, 'userGuid', {
      join: [sheets, eq(sheets.guid, answers.sheetGuid)],
      shows: [pick(sheets, 'tournamentGuid'), 'sheetGuid', 'role', 'runs', 'matches', 'submittedAt'],
      order: ['submittedAt', 'guid'],
      map: withTimes,
    }),
    availabilitySheets: rowsOf(sheets, 'createdByGuid', {
      shows: ['guid', 'tournamentGuid', 'title', 'description', 'createdAt', 'updatedAt'],
    }),
    teamAvailability: rowsOf(teamAnswers, 'updatedByGuid', {
      shows: ['sheetGuid', 'teamGuid', 'runs', 'submittedAt'],
      order: ['submittedAt'],
      map: withTimes,
    }),
  },
  forget: [deleteRows(answers, 'userGuid')],
})

function withTimes({ runs, ...row }: Pick<typeof answers.$inferSelect, 'runs'>) {
  const times = runs.map(({ start, end, ...answer }) => ({
    startsAt: new Date(start),
    endsAt: new Date(end),
    ...answer,
  }))
  return { ...row, times }
}
