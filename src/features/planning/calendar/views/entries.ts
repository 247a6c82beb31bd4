import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { type Entry, entryKinds } from '../types.ts'

export const CalendarEntry = Type.Object(
  {
    kind: oneOf(entryKinds),
    guid: nullable(Guid, 'Of the timeline event; null for what is the tournament’s own.'),
    title: Type.String({ examples: ['Qualifiers'] }),
    description: nullable(Type.String(), 'Plain text.'),
    icon: nullable(Type.String({ examples: ['flag'] }), 'Of the timeline event.'),
    startsAt: Instant,
    endsAt: nullable(Instant, 'Null for an instant.'),
    tournament: Type.Object({
      guid: Guid,
      id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
      name: Type.String({ examples: ['Spring Cup'] }),
      timezone: Type.String({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
    }),
  },
  {
    title: 'CalendarEntry',
    description:
      'A tournament from start to end, its registration from opening to closing, or an event of its timeline.',
  },
)

export function entryView(entry: Entry): Static<typeof CalendarEntry> {
  const { kind, title, description, icon, startsAt, endsAt, tournament } = entry
  return {
    kind,
    guid: kind === 'timeline' ? entry.guid : null,
    title,
    description,
    icon,
    startsAt: formatInstant(startsAt),
    endsAt: formatInstant(endsAt),
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name, timezone: tournament.timezone },
  }
}
