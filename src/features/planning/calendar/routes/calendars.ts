import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { Answer, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, type Position, toPage } from '../../../../core/page.ts'
import { missing } from '../../../../core/problem.ts'
import { Instant, NextCursor, PageQuery } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { readDelay } from '../../../../infra/delay/store.ts'
import { findPlatformFor, loadSystemPlatform } from '../../../listing/platforms/store/platforms.ts'
import type { Platform } from '../../../listing/platforms/types.ts'
import { entryOf, maxWindowDays, readFeedWindow, readKinds, readWindow } from '../rules.ts'
import { listEntries, listEntriesOf, maxEntries, maxOfTournament } from '../store/entries.ts'
import { type Entry, entryKeys, entryKinds } from '../types.ts'
import { CalendarEntry, entryView } from '../views/entries.ts'

const filters = {
  platform: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Context id of the platform whose listed tournaments are asked for; the system platform unless given.',
    }),
  ),
  kinds: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma list of ${entryKinds.join(', ')}; all of them unless given.`,
      examples: ['tournament,timeline'],
    }),
  ),
}

const filterProblems = { 'platform.unknown': 404, 'calendar.window_invalid': 400, 'calendar.kind_unknown': 400 }

const from = { ...Instant, description: 'Entries that end no earlier.' }
const to = { ...Instant, description: `Entries that start no later; at most ${maxWindowDays} days after \`from\`.` }

const listName = 'calendar'
type ListPosition = readonly [at: string, guid: string, key: string]
const isListPosition = (position: Position): position is ListPosition => {
  const [at, guid, key] = position
  return position.length === 3 && isMakingPosition([at ?? '', guid ?? '']) && entryKeys.some((each) => each === key)
}

const list = query({
  name: 'calendar.list',
  method: 'GET',
  path: '/calendar',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'What happens in listed tournaments, and around awards, in a window of time, ordered by start.',
  description:
    'Tournaments from start to end, public registrations and qualifiers from opening to closing, timeline events, and matches from when they are scheduled for as long as is usual, of the tournaments on the platform’s public list; and on every platform the phases of awards. What touches an end of the window is in it; a match stands by its planned times, and tells when it really began and ended. One that was decided without play before its time is cancelled, and its title says why. Matches are told of as late as their stream is behind, whoever asks.',
  query: Type.Object({ from, to, ...filters, ...PageQuery }),
  reply: { 200: Type.Object({ entries: Type.Array(CalendarEntry), nextCursor: NextCursor }) },
  problems: filterProblems,
  run: async ({ db, query: { limit = defaultPageSize, before, ...asked } }) => {
    const window = readWindow(asked.from, asked.to)
    const kinds = readKinds(asked.kinds)
    const [at, guid, key] = decodeCursor(listName, before, isListPosition) ?? []
    const after = at === undefined || guid === undefined || key === undefined ? undefined : { at, guid, key }
    const { guid: platformGuid } = await loadPlatform(db, asked.platform)
    const rows = await listEntries(db, { platformGuid, window, kinds }, limit, after)
    const page = toPage(listName, rows.map(entryOf), limit, (entry) => [
      formatInstant(entry.plannedAt),
      entry.guid,
      entry.key,
    ])
    return { entries: page.items.map(entryView), nextCursor: page.nextCursor }
  },
})

export const contentType = 'text/calendar; charset=utf-8'

const feed = query({
  name: 'calendar.feed',
  method: 'GET',
  path: '/calendar.ics',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'The same as a calendar that programs subscribe to.',
  description: `A file of the form iCalendar (RFC 5545), with all times in UTC. Without a window, the last 30 days and what comes. At most the first ${maxEntries} entries: narrow the window, the kinds or the platform to see further.`,
  query: Type.Object({ from: Type.Optional(from), to: Type.Optional(to), ...filters }),
  reply: { 200: Type.String() },
  contentType,
  problems: filterProblems,
  run: async ({ db, query, services, now }) => {
    const window = readFeedWindow(query.from, query.to, now)
    const kinds = readKinds(query.kinds)
    const { guid: platformGuid, name } = await loadPlatform(db, query.platform)
    const rows = await listEntries(db, { platformGuid, window, kinds }, maxEntries)
    const entries = rows.slice(0, maxEntries).map(entryOf)
    return asCalendar(name, entries, services.config.publicUrl)
  },
})

const feedOfTournament = query({
  name: 'calendar.feedOfTournament',
  method: 'GET',
  path: '/tournaments/:tournament/calendar.ics',
  scope: 'public',
  allow: anyone,
  summary: 'The dates of one tournament as a calendar that programs subscribe to.',
  description: `A file of the form iCalendar (RFC 5545), with all times in UTC. The entries of a cancelled tournament stay, with the status CANCELLED, so that programs strike them out, as does a match that was decided without play before its time; its summary says why. Matches are told of as late as their stream is behind. At most the first ${maxOfTournament} entries.`,
  reply: { 200: Type.String() },
  contentType,
  audience: everybody,
  run: async ({ db, tournament, services, depends }) => {
    // With a delay, the calendar changes without an event, so it is not cached. (RT40)
    const { seconds } = await readDelay(db, { tournament: tournament.guid, match: null })
    if (seconds === 0) depends(tournament.guid)
    const entries = (await listEntriesOf(db, tournament.guid)).map(entryOf)
    return asCalendar(tournament.name, entries, services.config.publicUrl)
  },
})

export async function asCalendar(name: string, entries: readonly Entry<string>[], publicUrl: string): Promise<Answer> {
  // Loaded with the first request, as the library is large.
  const { calendarText } = await import('../views/feed.ts')
  return new Answer(200, { body: calendarText(name, entries, publicUrl), contentType })
}

/** @throws Problem `platform.unknown` */
async function loadPlatform(db: Db, contextId: string | undefined): Promise<Pick<Platform, 'guid' | 'name'>> {
  if (contextId === undefined) return loadSystemPlatform(db)
  const seen = await findPlatformFor(db, contextId, null)
  if (seen === undefined) throw missing('platform.unknown', 'There is no such platform.')
  return seen.platform
}

export const calendarOperations = [list, feed, feedOfTournament]
