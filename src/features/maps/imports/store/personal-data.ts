import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { imports } from '../tables.ts'

/** What a user has started. It stays for the poolers of the tournament, until it is deleted with its age. */
export const importsPersonalData = declarePersonalData({
  sections: {
    imports: rowsOf(imports, 'startedByGuid', {
      shows: ['guid', 'tournamentGuid', 'poolGuid', 'request', 'dryRun', 'status', 'createdAt', 'finishedAt'],
      map: ({ request, ...row }) => ({ ...row, source: request.source, reason: request.reason }),
    }),
  },
})
