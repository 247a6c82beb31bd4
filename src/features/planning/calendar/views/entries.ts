import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { type Entry, entryKinds } from '../types.ts'

export const CalendarEntry = Type.Object(
  {
    kind: oneOf(entryKinds),
    guid: nullable(
      Guid,
      'Of the timeline event, match, qualifier or edition of awards; null for what is the tournament’s own.',
    ),
    title: Type.String({ examples: ['Qualifiers'] }),
    description: nullable(Type.String(), 'Plain text.'),
    icon: nullable(Type.String({ examples: ['flag'] }), 'Of the timeline event.'),
    startsAt: Instant,
    endsAt: nullable(Instant, 'Null for an instant. Of a match by what is usual for its best-of, or its real end.'),
    cancelled: Type.Boolean({ description: 'It does not take place; the title of a match says why.' }),
    tournament: nullable(
      Type.Object({
        guid: Guid,
        id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
        name: Type.String({ examples: ['Spring Cup'] }),
        timezone: Type.String({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
      }),
      'Null for awards.',
    ),
    award: nullable(
      Type.Object({
        guid: Guid,
        id: Type.String({ description: 'Of its address.', examples: ['2026'] }),
        title: Type.String({ examples: ['Community Awards 2026'] }),
      }),
      'The edition; null for what is of a tournament.',
    ),
  },
  {
    title: 'CalendarEntry',
    description:
      'A tournament from start to end, its registration or qualifier from opening to closing, an event of its timeline, a match, or a phase of awards: nominations, voting, and results.',
  },
)

export function entryView(entry: Entry): Static<typeof CalendarEntry> {
  const { kind, title, description, icon, startsAt, endsAt, isCancelled, tournament, award } = entry
  return {
    kind,
    guid: kind === 'tournament' || kind === 'registration' ? null : entry.guid,
    title,
    description,
    icon,
    startsAt: formatInstant(startsAt),
    endsAt: formatInstant(endsAt),
    cancelled: isCancelled || tournament?.status === 'cancelled',
    tournament: tournament === null ? null : tournamentView(tournament),
    award,
  }
}

function tournamentView({ guid, id, name, timezone }: NonNullable<Entry['tournament']>) {
  return { guid, id, name, timezone }
}
