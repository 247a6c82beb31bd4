import type { Db } from '../../../infra/db/database.ts'
import { listHeldFrom } from '../../../infra/held/store.ts'
import { listOwn, maxOwnEntries } from './store/own.ts'
import type { OwnFacts, Window } from './types.ts'

/**
 * Reads a user's own calendar. The request has no token, so `db` shows all held tournaments late. Those in which the
 * user works are read as they are now, and so is everything about the matches of the user's teams. (V1)
 * @param db may show held tournaments late
 */
export async function readOwn(
  { db, present }: { readonly db: Db; readonly present: Db },
  userGuid: string,
  window: Window,
): Promise<readonly OwnFacts[]> {
  if (db === present) return listOwn(db, userGuid, window)
  const [shown, now, held] = await Promise.all([
    listOwn(db, userGuid, window),
    listOwn(present, userGuid, window),
    listHeldFrom(present, userGuid),
  ])
  const played = new Set(now.flatMap(({ kind, guid }) => (kind === 'match' ? guid : [])))
  const isPresent = ({ kind, matchGuid, tournament }: OwnFacts) =>
    !held.has(tournament.guid) || kind === 'match' || (matchGuid !== null && played.has(matchGuid))
  return [...now.filter(isPresent), ...shown.filter((facts) => !isPresent(facts))]
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
    .slice(0, maxOwnEntries)
}
