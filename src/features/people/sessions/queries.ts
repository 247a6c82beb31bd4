import { type Actor, anonymous } from '../../../core/actor.ts'
import { withImpliedRoles } from '../../../core/roles.ts'
import { firstPartyScopes, withImplied } from '../../../core/scopes.ts'
import type { Database } from '../../../infra/db/database.ts'
import { type Cookies, isNoteDue, sessionDigest } from './rules.ts'
import { findHolderOfSession, noteUse } from './store.ts'

/**
 * Returns the user who is signed in on the website with these cookies; null if there is none. Their rights are those of
 * a first-party token. (D19, D40)
 */
export async function authenticateSession(database: Database, cookies: Cookies, now: Date): Promise<Actor | null> {
  const digest = sessionDigest(cookies)
  if (digest === null) return null
  const holder = await findHolderOfSession(database.db, digest, now)
  if (holder === undefined) return null
  if (isNoteDue(holder.lastSeenAt, now)) await database.transaction((tx) => noteUse(tx, holder.sessionGuid, now))
  const { guid, chatPlatformId, globalRoles, sessionGuid } = holder
  return {
    ...anonymous,
    guid,
    chatPlatformId,
    sessionGuid,
    globalRoles: withImpliedRoles(globalRoles),
    scopes: withImplied(firstPartyScopes),
  }
}
