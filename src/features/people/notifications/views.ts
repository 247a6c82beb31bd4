import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Notification } from './types.ts'

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
