import type { Slice } from '../../slice.ts'
import { notifier } from './followers.ts'
import { notificationsOperations, notificationsProfilePart } from './routes.ts'
import { notificationsPersonalData } from './store/personal-data.ts'

export const notifications: Slice = {
  name: 'notifications',
  operations: notificationsOperations,
  profile: { notifications: notificationsProfilePart },
  followers: [notifier],
  personalData: notificationsPersonalData,
}
