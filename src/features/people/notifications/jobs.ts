import type { DueWork } from '../../../infra/jobs/due.ts'
import { tellShown } from './followers.ts'

export const notificationsDue: readonly DueWork[] = [
  {
    name: 'notifications.tellShown',
    inRehearsals: false,
    run: async ({ database, now }) => {
      await tellShown(database, now)
      return null
    },
  },
]
