import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { flowRows, flowSessions } from '../tables.ts'

/**
 * A user's actions in sessions. They stay after the account is deleted and name the user by GUID, because the state is
 * computed from all rows of the log.
 */
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
