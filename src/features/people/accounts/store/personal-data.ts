import { listDeedsOf } from '../../../../infra/events/read.ts'
import type { PersonalData } from '../../../slice.ts'

/** The log is kept as it is: it names users by GUID alone. */
export const activityPersonalData: PersonalData = { sections: { activity: listDeedsOf } }
