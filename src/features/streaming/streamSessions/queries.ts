import type { Depends } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag, type UserCard, userCard } from '../../people/users/views.ts'
import { testSecondsADay } from '../streamKeys/rules.ts'
import { testSecondsToday } from '../streamKeys/store.ts'
import { listServers } from '../streamServers/store.ts'
import type { Play, StreamServer } from '../streamServers/types.ts'
import { streamTag } from './events.ts'
import { embedUrl, type Terms, termsOf } from './rules.ts'
import { listClaims } from './store/publishing.ts'
import { listHealth, listLiveOfUsers, listSessions, type SessionFilter } from './store/sessions.ts'
import { listShown } from './store/watching.ts'
import type { StreamSession } from './types.ts'
import {
  type SessionView,
  type StreamFacts,
  type StreamView,
  sessionView,
  streamView,
  userStreamView,
} from './views.ts'

const listName = 'streamSessions'

export interface Paging {
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** @param isAddressShown whether the caller may see the publisher's network address */
export async function readSessions(
  db: Db,
  filter: SessionFilter,
  { limit = defaultPageSize, before }: Paging,
  isAddressShown: boolean,
): Promise<{ streamSessions: SessionView[]; nextCursor: string | null }> {
  const after = decodeCursor(listName, before, isMakingPosition)
  const rows = await listSessions(db, filter, { limit, after })
  const { items, nextCursor } = toPage(listName, rows, limit, ({ startedAt, guid }) =>
    makingPosition({ createdAt: startedAt, guid }),
  )
  const live = items.flatMap(({ guid, endedAt }) => (endedAt === null ? [guid] : []))
  const [users, servers, health] = await Promise.all([
    listUserFacts(
      db,
      items.map(({ userGuid }) => userGuid),
    ),
    listServers(db),
    listHealth(db, live),
  ])
  const serverNames = new Map(servers.map(({ guid, name }) => [guid, name]))
  const streamSessions = items.flatMap((session) => {
    const user = users.get(session.userGuid)
    const serverName = serverNames.get(session.serverGuid)
    if (user === undefined || serverName === undefined) return []
    const facts = { user: userCard(user), serverName, health: health.get(session.guid) ?? null, isAddressShown }
    return [sessionView(session, facts)]
  })
  return { streamSessions, nextCursor }
}

/** Reads live streams with their play addresses. They are found by user and whether they are tests. */
async function readLive(db: Db, users: readonly string[]) {
  const [sessions, servers] = await Promise.all([listLiveOfUsers(db, users), listServers(db)])
  const plays = new Map(servers.map(({ guid, play }) => [guid, play]))
  const find = (userGuid: string, test: boolean): StreamFacts['live'] => {
    const isTheirs = (one: StreamSession) => one.userGuid === userGuid && one.test === test && plays.has(one.serverGuid)
    const session = sessions.find(isTheirs)
    const play = session === undefined ? undefined : plays.get(session.serverGuid)
    return session === undefined || play === undefined ? null : { session, play }
  }
  return { find, servers: servers.map(({ guid }) => guid) }
}

/**
 * Reads the streams that a tournament shows now or later.
 * @param isStaff whether tests are included
 */
export async function readStreams(
  db: Db,
  tournamentGuid: string,
  { isStaff, publicUrl }: { readonly isStaff: boolean; readonly publicUrl: string },
  depends: Depends,
): Promise<StreamView[]> {
  const shown = await listShown(db, tournamentGuid)
  const users = [...new Set(shown.map(({ userGuid }) => userGuid))]
  const [facts, live] = await Promise.all([listUserFacts(db, users), readLive(db, users)])
  depends(tournamentGuid, playedTag, ...users, ...users.map(streamTag), ...live.servers)
  for (const { endsAt } of shown) depends.until(endsAt)
  return shown.flatMap((assignment) => {
    const user = facts.get(assignment.userGuid)
    if (user === undefined) return []
    const { userGuid } = assignment
    const common = { user: userCard(user), live: live.find(userGuid, false), publicUrl }
    return [streamView(assignment, isStaff ? { ...common, test: live.find(userGuid, true) } : common)]
  })
}

export async function readUserStream(db: Db, userGuid: string, depends: Depends): Promise<StreamFacts['live']> {
  const live = await readLive(db, [userGuid])
  depends(userGuid, streamTag(userGuid), ...live.servers)
  return live.find(userGuid, false)
}

/** The public data about where to watch a user. */
export interface Watched {
  readonly live: boolean
  readonly play: Play
  /** The user's channel on the streaming site, whether or not they stream through this service. */
  readonly embedUrl: string | null
}

/** Returns the data of several users by GUID. Users who are not live and have no channel elsewhere are left out. */
export async function readWatched(
  db: Db,
  users: readonly Pick<UserCard, 'guid' | 'streamingName'>[],
  publicUrl: string,
  depends: Depends,
): Promise<ReadonlyMap<string, Watched>> {
  const live = await readLive(
    db,
    users.map(({ guid }) => guid),
  )
  depends(...users.flatMap(({ guid }) => [guid, streamTag(guid)]), ...live.servers)
  return new Map(
    users.flatMap(({ guid, streamingName }) => {
      const { live: isLive, play } = userStreamView(live.find(guid, false))
      if (!isLive && streamingName === null) return []
      return [
        [guid, { live: isLive, play, embedUrl: streamingName === null ? null : embedUrl(streamingName, publicUrl) }],
      ]
    }),
  )
}

/** The terms on which the user may publish to the server now; null if they may not. */
export async function readTerms(
  db: Db,
  { assignmentRequired, control }: Pick<StreamServer, 'assignmentRequired' | 'control'>,
  userGuid: string,
  keyExpiresAt: Date | null,
  now: Date,
): Promise<Terms | null> {
  const [claims, tested] = await Promise.all([listClaims(db, userGuid), testSecondsToday(db, userGuid, now)])
  const testSecondsLeft = testSecondsADay - tested
  return termsOf({ claims, assignmentRequired, isWatched: control !== null, keyExpiresAt, testSecondsLeft }, now)
}
