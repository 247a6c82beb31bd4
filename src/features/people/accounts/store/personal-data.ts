import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { eventLog } from '../../../../infra/events/tables.ts'

/**
 * A user's actions, without the changed data, which is often about other users. The event log does not change when an
 * account is deleted: it names users by GUID only.
 */
export const activityPersonalData = declarePersonalData({
  sections: {
    activity: rowsOf(eventLog, 'actor', { shows: ['at', 'type', 'subject', 'tournament'], order: ['seq'] }),
  },
})
