import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { flowRows, flowSessions } from '../tables.ts'

/** What users did in sessions. It stays when they are gone, by their GUIDs alone: states are worked out from all rows of a log. */
export const flowSessionsPersonalData = declarePersonalData({
  sections: {
    flowRows: rowsOf(flowRows, 'byGuid', {
      shows: ['tournamentGuid', 'sessionGuid', 'position', 'kind', 'seat', 'mapGuid', 'at'],
      order: ['at', 'sessionGuid', 'position'],
    }),
    flowSessionsBegun: rowsOf(flowSessions, 'begunByGuid', {
      shows: ['guid', 'tournamentGuid', 'matchGuid', 'flowName', 'createdAt'],
    }),
  },
})
