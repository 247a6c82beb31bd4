import { Type } from 'typebox'
import { type Actor, anyone, everybody } from '../../../core/actor.ts'
import { type EventType, kindTagOfAll } from '../../../core/events.ts'
import { isGuid } from '../../../core/ids.ts'
import { query, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isCursorInstant, jsonBytes, type Position, toPage } from '../../../core/page.ts'
import { missing } from '../../../core/problem.ts'
import { Instant, NextCursor, oneOf, PageQuery } from '../../../core/schema.ts'
import { formatInstant, parseInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findNextShown } from '../../../infra/delay/store.ts'
import { findUser } from '../../people/users/store/users.ts'
import { cardBytes, playedTag } from '../../people/users/views.ts'
import { unknownTeam } from '../../teams/teams/commands/lock.ts'
import { findTeam } from '../../teams/teams/store/teams.ts'
import { staffAndPoolersAudience } from '../../tournaments/access/policy.ts'
import type { Include } from '../../tournaments/tournaments/rules/includes.ts'
import { findPlatformGuid } from '../../tournaments/tournaments/store/list.ts'
import { DivisionQuery } from './bodies.ts'
import {
  defaultWindowDays,
  matchOrders,
  readBound,
  readStatuses,
  readStatusWindows,
  unknownBracket,
  unknownDivision,
} from './rules.ts'
import { listAllMatches } from './store/all.ts'
import { findBracketGuid, findDivisionGuid, type ListPosition, listMatches, type MatchFilter } from './store/list.ts'
import type { ListedMatch, MatchRecord } from './types.ts'
import { dependenciesOf, listMatchCards, listMatchViews, MatchCard, MatchView, readMatchView } from './views.ts'

const listName = 'matches'
/** The maximum of an integer column. */
const maxNumber = 2 ** 31 - 1

const Query = Type.Object({
  division: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'GUID or short id of a division.' })),
  bracket: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'GUID of a bracket of the tournament.' }),
  ),
  status: Type.Optional(
    Type.String({ maxLength: 100, description: 'Comma list of statuses.', examples: ['ready,running'] }),
  ),
  team: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'GUID or short id of a team that plays.' }),
  ),
  official: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of somebody who works at it.' }),
  ),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'Scheduled at this instant or later.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Scheduled at this instant or earlier.' })),
  ...PageQuery,
})

/** The events of matches that everybody may receive. */
const matchFacts: readonly EventType[] = [
  'match.called',
  'match.started',
  'match.game_reported',
  'match.game_removed',
  'match.completed',
  'match.corrected',
  'match.reopened',
  'match.updated',
]

type Asked = Readonly<Partial<Record<'division' | 'bracket' | 'status' | 'team' | 'official' | 'from' | 'to', string>>>

const list = query({
  name: 'matches.list',
  method: 'GET',
  path: `${tournamentPath}/matches`,
  scope: 'public',
  allow: anyone,
  summary: 'Matches of a tournament: bracket after bracket as they were generated, and in each by number.',
  description:
    'Filters can be combined: `status=ready&team=…` is what a team plays next, `official=@me` where the caller works.',
  query: Query,
  reply: { 200: Type.Object({ matches: Type.Array(MatchView), nextCursor: NextCursor }) },
  problems: {
    'division.unknown': 404,
    'bracket.unknown': 404,
    'team.unknown': 404,
    'user.unknown': 404,
    'match.status_unknown': 400,
    'match.instant_invalid': 400,
  },
  audience: staffAndPoolersAudience,
  live: { canBeDelayed: true, query: ['division', 'bracket', 'status', 'team'], sends: matchFacts },
  run: async ({ db, actor, tournament, query: { limit = defaultPageSize, before, ...asked }, depends }) => {
    const after = decodeCursor(listName, before, isListPosition)
    const filter = await readFilter(db, actor, tournament.guid, asked)
    const rows = await listMatches(db, tournament.guid, { ...filter, after, limit })
    const views = await listMatchViews(db, rows, actor)
    const { items, nextCursor } = toPage(listName, rows, limit, listPosition, views.map(bytesOf))
    const matches = views.slice(0, items.length)
    depends(...dependenciesOf(tournament.guid, matches), ...(filter.officialGuid ? [filter.officialGuid] : []))
    return { matches, nextCursor }
  },
})

const read = query({
  name: 'matches.read',
  method: 'GET',
  path: `${tournamentPath}/matches/:match`,
  scope: 'public',
  allow: anyone,
  summary: 'A match, by GUID, or by its number within `division`.',
  description: 'The division can be left out where the tournament has one match of that number alone.',
  query: Type.Object(DivisionQuery),
  reply: { 200: MatchView },
  problems: { 'match.ambiguous': 409 },
  audience: staffAndPoolersAudience,
  live: {
    canBeDelayed: true,
    matchOf: ({ match }) => (match as MatchRecord).guid,
    query: ['division'],
    sends: matchFacts,
  },
  run: async ({ db, actor, tournament, match, depends }) => {
    const view = await readMatchView(db, match, actor)
    depends(...dependenciesOf(tournament.guid, [view]))
    return view
  },
})

/** The names of the lists in cursors: one of the other order leads nowhere. */
const allNames = { oldest: 'matches:all', newest: 'matches:all:newest' } as const
type AllPosition = readonly [at: string, guid: string]

const AllQuery = Type.Object({
  status: Type.Optional(Type.String({ maxLength: 100, description: 'Comma list of statuses.', examples: ['running'] })),
  from: Type.Optional({ ...Instant, description: 'Matches at this instant or later.' }),
  to: Type.Optional({ ...Instant, description: 'Matches at this instant or earlier.' }),
  platform: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Context id of the platform whose listed tournaments are asked for; the system platform unless given.',
    }),
  ),
  order: Type.Optional(
    oneOf(matchOrders, { description: '`oldest`: the first in time at the top, unless given; or the last, `newest`.' }),
  ),
  ...PageQuery,
})

/** The events that may bring a match of any tournament into the list. Those of shown matches touch their tournament. */
const arrivals = [
  'tournament.updated',
  'bracket.created',
  'bracket.updated',
  'bracket.generated',
  'bracket.entrants_placed',
  'bracket.round_paired',
  'bracket.team_withdrawn',
  'bracket.team_returned',
  'match.started',
  'match.game_reported',
  'match.game_removed',
  'match.completed',
  'match.corrected',
  'match.reopened',
  'match.updated',
  'correction.undone',
  'schedule.applied',
  // The delay of a match is that of the channel in whose queue it is.
  'channels.replaced',
  'channel.queue_changed',
] as const satisfies readonly EventType[]

const listAll = query({
  name: 'matches.listAll',
  method: 'GET',
  path: '/matches',
  scope: 'public',
  allow: anyone,
  summary: 'Matches of all listed tournaments, in order of time.',
  description: `Of the tournaments on the platform’s public list. A match is at the time for which it is scheduled or, where it is not, at which it began; one without either is not in the list. Without \`from\` and \`to\`: the matches of the next ${defaultWindowDays} days, and those that are running, whatever their time. \`status=running\` is what is played now. Matches are told of as late as their stream is behind, whoever asks.`,
  query: AllQuery,
  reply: { 200: Type.Object({ matches: Type.Array(MatchCard), nextCursor: NextCursor }) },
  problems: {
    'platform.unknown': 404,
    'match.status_unknown': 400,
    'match.instant_invalid': 400,
    'match.window_invalid': 400,
  },
  audience: everybody,
  live: { query: ['status', 'from', 'to', 'platform', 'order'], paceMs: 1_000 },
  run: async ({ db, query: { limit = defaultPageSize, before, ...asked }, now, depends }) => {
    const { platform, order = 'oldest' } = asked
    const { windows, movesAt } = readStatusWindows(asked, now)
    const [at, guid] = decodeCursor(allNames[order], before, isAllPosition) ?? []
    const after = at === undefined || guid === undefined ? undefined : { at, guid }
    const platformGuid = await findPlatformGuid(db, platform)
    if (platformGuid === undefined) throw missing('platform.unknown', 'There is no such platform.')
    const [rows, nextShown] = await Promise.all([
      listAllMatches(db, platformGuid, windows, { order, limit, after }),
      findNextShown(db),
    ])
    const { items, nextCursor } = toPage(allNames[order], rows, limit, allPosition)
    // As in the list of tournaments, only first pages are cached.
    if (before === undefined) {
      depends(platformGuid, playedTag, ...arrivals.map(kindTagOfAll), ...items.map(({ tournament }) => tournament.guid))
      for (const date of [movesAt, nextShown]) if (date !== null) depends.until(date, { isCached: true })
    }
    return { matches: await listMatchCards(db, items), nextCursor }
  },
})

function allPosition({ at, guid }: ListedMatch): AllPosition {
  return [formatInstant(at), guid]
}

function isAllPosition(position: Position): position is AllPosition {
  const [at, guid] = position
  return position.length === 2 && isCursorInstant(at) && typeof guid === 'string' && isGuid(guid)
}

async function readFilter(
  db: Db,
  actor: Actor,
  tournamentGuid: string,
  { division, bracket, status, team, official, from, to }: Asked,
): Promise<Omit<MatchFilter, 'limit'>> {
  const statuses = status === undefined ? undefined : readStatuses(status)
  const bounds = { from: readBound('from', from), to: readBound('to', to) }
  return {
    divisionGuid: division && (await loadDivision(db, tournamentGuid, division)),
    bracketGuid: bracket && (await loadBracket(db, tournamentGuid, bracket)),
    teamGuid: team && (await loadTeam(db, tournamentGuid, team)),
    officialGuid: official && (await loadOfficial(db, actor, official)),
    statuses,
    ...bounds,
  }
}

async function loadDivision(db: Db, tournamentGuid: string, identifier: string): Promise<string> {
  const guid = await findDivisionGuid(db, tournamentGuid, identifier)
  if (guid === undefined) throw unknownDivision()
  return guid
}

async function loadBracket(db: Db, tournamentGuid: string, identifier: string): Promise<string> {
  const guid = await findBracketGuid(db, tournamentGuid, identifier)
  if (guid === undefined) throw unknownBracket()
  return guid
}

async function loadTeam(db: Db, tournamentGuid: string, identifier: string): Promise<string> {
  const team = await findTeam(db, tournamentGuid, identifier)
  if (team === undefined) throw unknownTeam()
  return team.guid
}

async function loadOfficial(db: Db, actor: Actor, identifier: string): Promise<string> {
  const user = await findUser(db, identifier === '@me' ? (actor.guid ?? '') : identifier)
  if (user === undefined) throw missing('user.unknown', 'There is no such user.')
  return user.guid
}

function bytesOf({ games, officials }: MatchView): number {
  return jsonBytes(games) + officials.length * cardBytes
}

function listPosition({ createdAt, number, guid }: MatchRecord): ListPosition {
  return [formatInstant(createdAt), number, guid]
}

function isListPosition(position: Position): position is ListPosition {
  const [createdAt, number, guid, ...rest] = position
  const instant = typeof createdAt === 'string' ? parseInstant(createdAt) : null
  const isShownForm = instant?.ok === true && instant.value !== null && formatInstant(instant.value) === createdAt
  const isNumber = typeof number === 'number' && number >= 1 && number <= maxNumber
  return isShownForm && isNumber && typeof guid === 'string' && isGuid(guid) && rest.length === 0
}

const matchesIncluded = 100

/** The first matches of a tournament; the list of matches returns all of them. */
export const matchesInclude: Include = {
  schema: Type.Array(MatchView, { description: `The first ${matchesIncluded} matches, in the order of the list.` }),
  load: async ({ db, actor, tournament, depends }) => {
    const rows = await listMatches(db, tournament.guid, { limit: matchesIncluded })
    const matches = await listMatchViews(db, rows.slice(0, matchesIncluded), actor)
    depends(...dependenciesOf(tournament.guid, matches))
    return matches
  },
}

export const matchesOperations = [list, read, listAll]
