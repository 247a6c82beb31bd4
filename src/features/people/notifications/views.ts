import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { NewMessage } from '../../../infra/outbox/types.ts'
import type { DatedNotification, NewNotification, Notification } from './types.ts'

/** A notification in an answer. (additions: Users) */
export const NotificationView = Type.Object(
  {
    guid: Guid,
    type: Type.String({ description: 'What it is about, as `noun.reason`.', examples: ['team.registered'] }),
    title: Type.String({ examples: ['The Quavers is registered for Spring Cup'] }),
    body: Type.String({ description: 'Plain text; may be empty.' }),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'GUIDs and words of what it is about, such as `tournamentGuid`.' },
    ),
    readAt: nullable(Instant),
    createdAt: Instant,
  },
  { title: 'Notification', description: 'A message of the service to one user.' },
)
export type NotificationView = Static<typeof NotificationView>

export function notificationView({ readAt, createdAt, ...rest }: Notification): NotificationView {
  return {
    ...rest,
    readAt: formatInstant(readAt),
    createdAt: formatInstant(createdAt),
  }
}

/**
 * Notifications as a rehearsal records them: in their order, each to its recipients by name, which are the same in every
 * copy. (R3)
 * @param names by GUID
 */
export function recordedNotices(
  notices: readonly (NewNotification & Partial<DatedNotification>)[],
  names: ReadonlyMap<string, string>,
  now: Date,
): NewMessage[] {
  const messages = notices.map(({ userGuid, type, title, body, data, createdAt: at = now }) => ({
    ...{ kind: 'notification' as const, at, userGuid, until: null },
    to: names.get(userGuid) ?? '',
    subject: title,
    body: JSON.stringify({ type, title, body, data }),
  }))
  const alike = Map.groupBy(messages, ({ body }) => body)
  return [...alike.values()].flatMap((group) => group.toSorted((one, other) => (one.to < other.to ? -1 : 1)))
}
