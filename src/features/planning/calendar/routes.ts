import { Type } from 'typebox'
import { anyone, everybody, firstParty } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, type Position, toPage } from '../../../core/page.ts'
import { missing } from '../../../core/problem.ts'
import { Instant, NextCursor, nullable, PageQuery } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { readDelay } from '../../../infra/delay/store.ts'
import { digestOf } from '../../../infra/secrets.ts'
import { findPlatformFor, loadSystemPlatform } from '../../listing/platforms/store.ts'
import type { Platform } from '../../listing/platforms/types.ts'
import { makeToken, revokeToken } from './commands.ts'
import { readOwn } from './queries.ts'
import { entryOf, ownAddress, ownEntryOf, readKinds, unknownCalendar } from './rules/entries.ts'
import { maxWindowDays, readFeedWindow, readWindow } from './rules/windows.ts'
import { listEntries, listEntriesOf, maxEntries, maxOfTournament } from './store/entries.ts'
import { maxOwnEntries } from './store/own.ts'
import { findOwner } from './store/tokens.ts'
import { type Entry, entryKeys, entryKinds } from './types.ts'
import { CalendarEntry, entryView } from './views.ts'

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
    'Tournaments from start to end, public registrations and qualifiers from opening to closing, timeline events, and matches from when they are scheduled or really began, for as long as is usual, of the tournaments on the platform’s public list; and on every platform the phases of awards. What touches an end of the window is in it. One that was decided without play before its time is cancelled, and its title says why. Matches are told of as late as their stream is behind, whoever asks.',
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
      formatInstant(entry.startsAt),
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
  const { calendarText } = await import('./views.ts')
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

const read = query({
  name: 'calendar.own',
  method: 'GET',
  path: '/users/@me/calendar.ics',
  scope: 'public',
  allow: anyone,
  summary: 'A user’s own matches, duties and deadlines, as a calendar that programs subscribe to.',
  description: `By the secret address that \`POST /users/@me/calendarToken\` gives; no access token is needed, and none is of use. A file of the form iCalendar (RFC 5545), with all times in UTC: matches of one’s teams, matches at which one works, assignments to streams, and when availability sheets close that ask oneself or one’s team. Matches and duties say that their time is taken. A match that was decided without play before its time is CANCELLED, and its summary says why. The last 30 days and the next eleven months; at most the first ${maxOwnEntries} entries. Who takes part in a match is told of it in time, whatever the delay of its stream.`,
  query: Type.Object({
    token: Type.Optional(Type.String({ maxLength: 200, description: 'As it stands in the secret address.' })),
  }),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'calendar.unknown': 404 },
  run: async ({ db, present, query: { token }, request: { address, countGuess }, services, now }) => {
    const userGuid = token === undefined ? undefined : await findOwner(db, digestOf(token))
    if (userGuid === undefined) {
      countGuess(address)
      throw unknownCalendar()
    }
    const facts = await readOwn({ db, present }, userGuid, readFeedWindow(undefined, undefined, now))
    const answer = await asCalendar('Downbeat', facts.map(ownEntryOf), services.config.publicUrl)
    // Only holders of the secret address may read the answer, so no shared cache may store it.
    return new Answer(answer.status, {
      body: answer.body,
      contentType,
      headers: { 'cache-control': 'private, no-store' },
    })
  },
})

const make = command({
  name: 'calendar.makeToken',
  returnsSecret: true,
  method: 'POST',
  path: '/users/@me/calendarToken',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Make the secret address of one’s own calendar, or put a new one in its place.',
  description:
    'Whoever knows the address can read the calendar, and do nothing else, until another one is made or it is revoked. It is not shown again. The address before leads nowhere at once.',
  reply: {
    201: Type.Object(
      {
        address: Type.String({
          description: 'For calendar programs to subscribe to.',
          examples: ['https://downbeat.example.org/api/users/@me/calendar.ics?token=…'],
        }),
        createdAt: Instant,
      },
      { title: 'CalendarAddress' },
    ),
  },
  problems: { 'user.unknown': 404 },
  run: async ({ tx, actor, services, now }) => {
    const token = await makeToken(tx, actor, now)
    return { address: ownAddress(services.config.publicUrl, token), createdAt: formatInstant(now) }
  },
})

const revoke = command({
  name: 'calendar.revokeToken',
  method: 'DELETE',
  path: '/users/@me/calendarToken',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Revoke the secret address of one’s own calendar.',
  description: 'Where there is none, nothing happens.',
  reply: { 204: nullable(Type.String()) },
  run: async ({ tx, actor }) => {
    await revokeToken(tx, actor)
    return new Answer(204)
  },
})

export const ownCalendarOperations = [read, make, revoke]
