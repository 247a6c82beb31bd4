import {
  escape as escapeText,
  ICalCalendar,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { oneLine } from '../../../core/text.ts'
import { formatInstant } from '../../../core/time.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import { type Entry, entryKinds } from './types.ts'

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

/** Calendars to which programs subscribe. (RFC 5545) */

const hourInSeconds = 3_600
const earliest = Date.UTC(2020, 0, 1)

/**
 * Every instant is in UTC, so that each program shows it in its user's own time zone. The text does not depend on the
 * time of the request.
 * @param publicUrl base URL of the tournaments' pages, without a trailing slash
 */
export function calendarText(name: string, entries: readonly Entry<string>[], publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const calendar = new ICalCalendar({
    prodId: { company: 'Downbeat', product: 'Calendar', language: 'EN' },
    // The library writes this value as it is, so it is escaped here.
    name: escapeText(oneLine(name), false),
    ttl: hourInSeconds,
  })
  for (const entry of entries) {
    const { startsAt, endsAt, changedAt } = entry
    calendar.createEvent({
      id: `${prefixOf(entry)}${entry.guid}@${hostname}`,
      // Without a METHOD, the stamp is also the time of the last change. (RFC 5545 §3.8.7.2)
      stamp: changedAt,
      lastModified: changedAt,
      sequence: secondsUpTo(changedAt) - secondsUpTo(new Date(earliest)),
      start: startsAt,
      // The end must be later than the start, so an instant has no end. (RFC 5545 §3.8.2.2)
      end: endsAt !== null && secondsUpTo(endsAt) > secondsUpTo(startsAt) ? endsAt : null,
      summary: summaryOf(entry),
      description: entry.description,
      url: `${publicUrl}${pathOf(entry)}`,
      status: statusOf(entry),
      // A tournament of three weeks does not make its followers busy; a user's own match does. (D64)
      transparency: entry.isBusy ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
      busystatus: entry.isBusy ? ICalEventBusyStatus.BUSY : ICalEventBusyStatus.FREE,
    })
  }
  return calendar.toString()
}

/**
 * Programs identify an event by its id, so the id never changes. Kinds that share a GUID with another entry have a
 * prefix.
 */
function prefixOf({ key }: Entry<string>): string {
  return ['tournament', 'timeline', 'match', 'qualifier'].includes(key) ? '' : `${key}-`
}

function pathOf({ tournament, award }: Entry<string>): string {
  if (tournament !== null) return `/tournaments/${tournament.id}`
  return award === null ? '/' : `/awards/${award.id}`
}

function summaryOf({ kind, title, tournament, award }: Entry<string>): string {
  const of = kind === 'tournament' ? undefined : (tournament?.name ?? award?.title)
  return oneLine(of === undefined ? title : `${of}: ${title}`)
}

/**
 * The entries of a cancelled tournament and matches that are not played are marked as cancelled, so that they do not
 * stay unchanged in calendars.
 */
function statusOf({ tournament, isCancelled }: Entry<string>): ICalEventStatus {
  const status: TournamentStatus | undefined = tournament?.status
  if (isCancelled || status === 'cancelled') return ICalEventStatus.CANCELLED
  return status === 'draft' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED
}

function secondsUpTo(date: Date): number {
  return Math.floor(date.getTime() / 1_000)
}
