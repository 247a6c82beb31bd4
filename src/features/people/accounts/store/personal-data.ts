import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { eventLog } from '../../../../infra/events/tables.ts'

/**
 * What somebody did; not what it did, which tells more of others than of them. The event log is not changed when an account is
 * deleted: it names users by GUID alone.
 */
export const activityPersonalData = declarePersonalData({
  sections: {
    activity: rowsOf(eventLog, 'actor', { shows: ['at', 'type', 'subject', 'tournament'], order: ['seq'] }),
  },
})
