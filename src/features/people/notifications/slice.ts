import type { Slice } from '../../slice.ts'
import { notificationsEvents } from './events.ts'
import { notifier } from './followers.ts'
import { notificationsDue } from './jobs.ts'
import { notificationsOperations, notificationsProfilePart } from './routes.ts'
import { notificationsPersonalData } from './store.ts'

export const notifications: Slice = {
  name: 'notifications',
  tags: { notifications: 'What a user is told of.' },
  operations: notificationsOperations,
  profile: { notifications: notificationsProfilePart },
  events: notificationsEvents,
  followers: [notifier],
  due: notificationsDue,
  personalData: notificationsPersonalData,
}
