import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { userCard } from '../../../people/users/views/card.ts'
import { listServers } from '../../streamServers/store.ts'
import { listHealth, listSessions, type SessionFilter } from '../store/sessions.ts'
import { type SessionView, sessionView } from '../views.ts'

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
