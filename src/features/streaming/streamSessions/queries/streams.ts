import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag, type UserCard, userCard } from '../../../people/users/views/card.ts'
import { listServers } from '../../streamServers/store.ts'
import type { Play } from '../../streamServers/types.ts'
import { streamTag } from '../events.ts'
import { embedUrl } from '../rules/paths.ts'
import { listLiveOfUsers } from '../store/sessions.ts'
import { listShown } from '../store/watching.ts'
import type { StreamSession } from '../types.ts'
import { type StreamFacts, type StreamView, streamView, userStreamView } from '../views.ts'

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
