import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { TimelineEvent as Event } from './types.ts'

/** A timeline event in an answer. (rest-interface: Timeline event) */
export const TimelineEvent = Type.Object(
  {
    guid: Guid,
    title: Type.String({ examples: ['Qualifiers'] }),
    description: nullable(Type.String({ examples: ['Play all five maps, as often as you like.'] }), 'Plain text.'),
    icon: Type.String({ description: 'Name of an icon.', examples: ['flag'] }),
    startTime: Instant,
    endTime: nullable(Instant),
  },
  { title: 'TimelineEvent', description: 'Something that happens in the course of a tournament.' },
)

export function timelineEventView(event: Event): Static<typeof TimelineEvent> {
  return {
    guid: event.guid,
    title: event.title,
    description: event.description,
    icon: event.icon,
    startTime: formatInstant(event.startTime),
    endTime: formatInstant(event.endTime),
  }
}
