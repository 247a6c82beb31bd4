import type { Slice } from '../../slice.ts'
import { notifier } from './followers.ts'
import { notificationsOperations } from './routes.ts'
import { notificationsPersonalData } from './store/personal-data.ts'

export const notifications: Slice = {
  name: 'notifications',
  operations: notificationsOperations,
  followers: [notifier],
  personalData: notificationsPersonalData,
}
