import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { StreamKey } from './types.ts'

const OptionalInstant = nullable(Instant)

export const StreamKeyView = Type.Object(
  {
    guid: Guid,
    label: Type.String({ examples: ['Living room'] }),
    key: nullable(
      Type.String({ examples: ['sk-k7Jw…'] }),
      'What an encoder publishes with; null for applications and administrators.',
    ),
    lastFour: Type.String({ description: 'The end of the key.', examples: ['x9Qa'] }),
    createdAt: Instant,
    lastUsedAt: nullable(Type.String({ format: 'date-time' }), 'When it was last published with, to the minute.'),
    expiresAt: OptionalInstant,
  },
  {
    title: 'StreamKey',
    description:
      'A key of a user’s encoder. `expiresAt` is the end of a rotation’s grace, null for a key that goes on.',
  },
)
export type StreamKeyView = Static<typeof StreamKeyView>

/** @param key null for whoever may not see it (S2) */
export function streamKeyView(record: StreamKey, key: string | null): StreamKeyView {
  return {
    guid: record.guid,
    label: record.label,
    key,
    lastFour: record.lastFour,
    createdAt: formatInstant(record.createdAt),
    lastUsedAt: formatInstant(record.lastUsedAt),
    expiresAt: formatInstant(record.expiresAt),
  }
}
