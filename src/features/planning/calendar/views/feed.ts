import {
  escape as escapeText,
  ICalCalendar,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import { oneLine } from '../../../../core/text.ts'
import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import type { Entry } from '../types.ts'

/** Calendars as programs subscribe to them. (RFC 5545) */

const hourInSeconds = 3_600
const earliest = Date.UTC(2020, 0, 1)

/**
 * Every instant is in UTC, so that each program shows it in its user's own time zone, and nothing depends on when the
 * calendar is asked for. @param publicUrl where the tournaments' pages are, without a slash at the end
 */
export function calendarText(name: string, entries: readonly Entry<string>[], publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const calendar = new ICalCalendar({
    prodId: { company: 'Downbeat', product: 'Calendar', language: 'EN' },
    // The library takes this for written already.
    name: escapeText(oneLine(name), false),
    ttl: hourInSeconds,
  })
  for (const entry of entries) {
    const { startsAt, endsAt, changedAt } = entry
    calendar.createEvent({
      id: `${prefixOf(entry)}${entry.guid}@${hostname}`,
      // Without a METHOD, this too is when the entry changed. (RFC 5545 §3.8.7.2)
      stamp: changedAt,
      lastModified: changedAt,
      sequence: secondsUpTo(changedAt) - secondsUpTo(new Date(earliest)),
      start: startsAt,
      // An end must be later than the start, which an instant's is not. (RFC 5545 §3.8.2.2)
      end: endsAt !== null && secondsUpTo(endsAt) > secondsUpTo(startsAt) ? endsAt : null,
      summary: summaryOf(entry),
      description: entry.description,
      url: `${publicUrl}${pathOf(entry)}`,
      status: statusOf(entry),
      // A tournament of three weeks does not keep its followers from other appointments; one's own match does. (D64)
      transparency: entry.isBusy ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
      busystatus: entry.isBusy ? ICalEventBusyStatus.BUSY : ICalEventBusyStatus.FREE,
    })
  }
  return calendar.toString()
}

/** Programs know an event by its id for good: those that are alone with their GUID have nothing before it. */
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

/** A cancelled tournament's entries, and matches that nobody plays, say so, instead of staying in calendars as they were. */
function statusOf({ tournament, isCancelled }: Entry<string>): ICalEventStatus {
  const status: TournamentStatus | undefined = tournament?.status
  if (isCancelled || status === 'cancelled') return ICalEventStatus.CANCELLED
  return status === 'draft' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED
}

function secondsUpTo(date: Date): number {
  return Math.floor(date.getTime() / 1_000)
}
