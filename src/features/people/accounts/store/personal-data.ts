import { listDeedsOf } from '../../../../infra/events/read.ts'
import type { PersonalData } from '../../../slice.ts'

/** The event log is not changed when an account is deleted: it names users by GUID alone. */
export const activityPersonalData: PersonalData = { sections: { activity: listDeedsOf } }
