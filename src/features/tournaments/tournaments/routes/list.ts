import { type Static, Type } from 'typebox'
import { type Actor, anyone, everybody } from '../../../../core/actor.ts'
import { isGuid } from '../../../../core/ids.ts'
import { type Depends, query } from '../../../../core/operation.ts'
import {
  decodeCursor,
  defaultPageSize,
  isCursorInstant,
  jsonBytes,
  type Position,
  toPage,
} from '../../../../core/page.ts'
import { missing, unauthenticated } from '../../../../core/problem.ts'
import { Instant, NextCursor, oneOf, PageQuery } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { readRecords, recordsDepend } from '../queries.ts'
import { excerptCharacters, listParts, readListParts, readSearch, readStatuses, readWindow } from '../rules/listing.ts'
import {
  findPlatformGuid,
  type Listed,
  type ListedParts,
  type ListFilter,
  listTournaments,
  narrows,
} from '../store/list.ts'
import { listedStatuses } from '../types.ts'
import { ListedTournament, listedView } from '../views.ts'

/** The public lists of tournaments. (D26) */

const TournamentPage = Type.Object({ tournaments: Type.Array(ListedTournament), nextCursor: NextCursor })

const listName = 'tournaments'
/** How long a cached page of a filtered list stays valid, in milliseconds, while a client follows it. */
const narrowedForMs = 10_000
type ListPosition = readonly [at: string, guid: string]
const isListPosition = (position: Position): position is ListPosition => {
  const [at, guid] = position
  return position.length === 2 && isCursorInstant(at) && typeof guid === 'string' && isGuid(guid)
}

/** The estimated size of a placed team in an answer, in bytes. */
const placedTeamBytes = 200

/** Estimates the size of a record by its long members only, which takes a tenth of the time of measuring all of it. */
function bytesOf({ tournament }: Listed): number {
  const { summary, description, rules, prizes, imageUrl, bannerUrl, links, additionalFields, placements } = tournament
  const texts = [summary, description, rules, prizes, imageUrl, bannerUrl, links, additionalFields]
  return jsonBytes(texts) + placements.length * placedTeamBytes
}

/**
 * Reads a page of a platform's list. A first page registers its dependencies with `depends`.
 * @param before the cursor from the previous page
 */
async function readTournamentPage(
  db: Db,
  filter: ListFilter,
  page: { readonly limit?: number | undefined; readonly before?: string | undefined; readonly parts: ListedParts },
  depends: Depends,
  now: Date,
) {
  const { limit = defaultPageSize, before, parts } = page
  const [at, guid] = decodeCursor(listName, before, isListPosition) ?? []
  const after = at === undefined || guid === undefined ? undefined : { at, guid }
  const rows = await listTournaments(db, filter, limit, after, parts)
  const positionOf = ({ sortAt, tournament }: Listed): ListPosition => [formatInstant(sortAt), tournament.guid]
  const { items, nextCursor } = toPage(listName, rows, limit, positionOf, rows.map(bytesOf))
  const records = await readRecords(db, items)
  // First pages are requested again and again and are cached; other pages are rarely requested twice.
  if (before === undefined) {
    depends(filter.platformGuid)
    recordsDepend(depends, records)
    // Other tournaments may begin to match the filter by time, or by changes that emit no event for this list.
    if (narrows(filter)) depends.until(new Date(now.getTime() + narrowedForMs))
  }
  return { tournaments: records.map((record) => listedView(record, parts)), nextCursor }
}

const FilterQuery = Type.Object({
  status: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma list of ${listedStatuses.join(', ')}.`,
      examples: ['approved,ongoing'],
    }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Words of name and id; the last one may be a beginning.',
      examples: ['spring cu'],
    }),
  ),
  from: Type.Optional({ ...Instant, description: 'Tournaments that end no earlier.' }),
  to: Type.Optional({ ...Instant, description: 'Tournaments that start no later.' }),
  organiser: Type.Optional(Type.String({ maxLength: 100, description: 'Any identifier of a user.' })),
  participant: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Any identifier of a user who is in a team, or was in a registered one.',
    }),
  ),
  registration: Type.Optional(
    oneOf(['open'], { description: 'Tournaments in which anybody may register a team now.' }),
  ),
  include: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma list of what is answered whole: ${listParts.join(', ')}.`,
      examples: ['texts'],
    }),
  ),
  ...PageQuery,
})
type FilterQuery = Static<typeof FilterQuery>

const ListQuery = Type.Object({
  platform: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Context id of the platform whose list is asked for; the system platform unless given.',
    }),
  ),
  ...FilterQuery.properties,
})

const filterProblems = {
  'tournament.status_not_listed': 400,
  'tournament.window_invalid': 400,
  'tournament.invalid': 400,
  'include.invalid': 400,
  'token.missing': 401,
}

/** The part of the description that both lists share. */
const excerptNote = `Of description, rules and prizes lists have the first ${excerptCharacters} characters, which end with … where there is more, and of additional fields none: where a tournament has some, the member is left out. \`include=texts,fields\` gives both whole, on pages that end early; so does the tournament’s own address.`

export const list = query({
  name: 'tournaments.list',
  method: 'GET',
  path: '/tournaments',
  scope: 'public',
  allow: anyone,
  summary: 'Listed tournaments, newest start first.',
  description: `Those that the platform has approved, in status approved, ongoing or completed. ${excerptNote}`,
  query: ListQuery,
  reply: { 200: TournamentPage },
  problems: { 'platform.unknown': 404, ...filterProblems },
  audience: everybody,
  live: {
    query: ['platform', 'status', 'q', 'from', 'to', 'organiser', 'participant', 'registration', 'include'],
    paceMs: 1_000,
  },
  run: async ({ db, actor, query, now, depends }) => {
    const platformGuid = await findPlatformGuid(db, query.platform)
    if (platformGuid === undefined) throw missing('platform.unknown', 'There is no such platform.')
    return readList(db, { actor, platformGuid, query, now, depends })
  },
})

export const listOfPlatform = query({
  name: 'platforms.tournaments',
  method: 'GET',
  path: '/tournament-platforms/:platform/tournaments',
  scope: 'public',
  allow: anyone,
  summary: 'The tournaments that the platform lists, newest start first.',
  description: `The same list as that of all tournaments with \`platform\`, with the same filters and cursors. ${excerptNote}`,
  query: FilterQuery,
  reply: { 200: TournamentPage },
  problems: filterProblems,
  audience: everybody,
  run: ({ db, actor, platform, query, now, depends }) =>
    readList(db, { actor, platformGuid: platform.guid, query, now, depends }),
})

interface Asked {
  readonly actor: Actor
  readonly platformGuid: string
  readonly query: FilterQuery
  readonly now: Date
  readonly depends: Depends
}

async function readList(
  db: Db,
  { actor, platformGuid, query, now, depends }: Asked,
): Promise<Static<typeof TournamentPage>> {
  const parts = readListParts(query.include)
  const filter = await readFilter(db, actor, query, now)
  if (filter === null) return { tournaments: [], nextCursor: null }
  return readTournamentPage(db, { platformGuid, ...filter }, { ...query, parts }, depends, now)
}

/** Reads the filter from the query; null if no tournament can match it. */
async function readFilter(
  db: Db,
  actor: Actor,
  query: FilterQuery,
  now: Date,
): Promise<Omit<ListFilter, 'platformGuid'> | null> {
  const words = query.q === undefined ? undefined : readSearch(query.q)
  const filter = { statuses: readStatuses(query.status), ...readWindow(query.from, query.to) }
  const [organiserGuid, participantGuid] = await Promise.all([
    findGuid(db, actor, query.organiser),
    findGuid(db, actor, query.participant),
  ])
  if (words === null || organiserGuid === null || participantGuid === null) return null
  const registrationOpenAt = query.registration === 'open' ? now : undefined
  return { ...filter, words, organiserGuid, participantGuid, registrationOpenAt }
}

/** The GUID of the user with this identifier; null if there is none. (D6) */
async function findGuid(db: Db, actor: Actor, identifier: string | undefined): Promise<string | null | undefined> {
  if (identifier === undefined) return undefined
  if (identifier !== '@me') return (await findUser(db, identifier))?.guid ?? null
  if (actor.guid === null) throw unauthenticated('token.missing', 'Sign in to use @me.')
  return actor.guid
}
