import type { Slice } from '../../slice.ts'
import { accountsEvents } from './events.ts'
import { accountsOperations } from './routes.ts'
import { activityPersonalData } from './store.ts'

export const accounts: Slice = {
  name: 'accounts',
  tags: { accounts: 'Taking out everything that is held about oneself, or ending the account.' },
  overPersonalData: accountsOperations,
  events: accountsEvents,
  personalData: activityPersonalData,
}
