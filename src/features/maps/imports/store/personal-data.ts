import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { imports } from '../tables.ts'

/** Imports that a user started. They stay for the poolers of the tournament until they expire. */
export const importsPersonalData = declarePersonalData({
  sections: {
    imports: rowsOf(imports, 'startedByGuid', {
      shows: ['guid', 'tournamentGuid', 'poolGuid', 'request', 'dryRun', 'status', 'createdAt', 'finishedAt'],
      map: ({ request, ...row }) => ({ ...row, source: request.source, reason: request.reason }),
    }),
  },
})
