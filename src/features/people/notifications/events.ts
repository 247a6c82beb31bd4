import type { Event, EventTable } from '../../../core/events.ts'

/** `read`: the number of notifications that were marked. */
export type NotificationEvent =
  /** Some users have new notifications; the event touches their lists. */
  Event<'notification.created', { subject: null }> | Event<'notification.read', { after: { readonly read: number } }>

declare module '../../../core/events.ts' {
  interface Events {
    notifications: NotificationEvent
  }
}

/** The tag that every change of a user's notifications touches. */
export function notificationsTag(userGuid: string): string {
  return `notifications:${userGuid}`
}

export const notificationsEvents: EventTable<NotificationEvent> = {
  'notification.created': { subject: null },
  'notification.read': { subject: 'user', members: { read: 'private' } },
}
