import type { DueWork } from '../../../infra/jobs/due.ts'
import { attemptDue } from '../../../infra/outbox/sending.ts'
import { tellShown } from './followers.ts'
import { judgeNotice } from './rules.ts'

export const notificationsDue: readonly DueWork[] = [
  {
    name: 'notifications.tellShown',
    inRehearsals: false,
    run: async ({ database, now }) => {
      await tellShown(database, now)
      return null
    },
  },
  {
    name: 'notifications.retryRecorded',
    inRehearsals: true,
    run: ({ database }) => attemptDue(database, 'notification', judgeNotice),
  },
]
