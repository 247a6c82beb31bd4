import type { Event, EventTable } from '../../../core/events.ts'

/** `read`: how many were marked. */
export type NotificationEvent =
  /** Some users have new ones; their lists are touched. */
  Event<'notification.created', { subject: null }> | Event<'notification.read', { after: { readonly read: number } }>

declare module '../../../core/events.ts' {
  interface Events {
    notifications: NotificationEvent
  }
}

/** Touched by whatever happens to the notifications of a user. */
export function notificationsTag(userGuid: string): string {
  return `notifications:${userGuid}`
}

export const notificationsEvents: EventTable<NotificationEvent> = {
  'notification.created': { subject: null },
  'notification.read': { subject: 'user', members: { read: 'private' } },
}
