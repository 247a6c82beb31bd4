import type { Event, EventTable } from '../../../core/events.ts'

/** `read`: how many were marked. */
export type NotificationEvent = Event<'notification.read', { after: { readonly read: number } }>

declare module '../../../core/events.ts' {
  interface Events {
    notifications: NotificationEvent
  }
}

export const notificationsEvents: EventTable<NotificationEvent> = {
  'notification.read': { subject: 'user', members: { read: 'private' } },
}
