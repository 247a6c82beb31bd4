import type { Tx } from '../../db/database.ts'
import { endUsages } from '../usages.ts'
import { deleteOwn, disown } from './store.ts'

/**
 * What becomes of media when their owner gives up the account, once nothing else of theirs uses any: those that are theirs alone
 * are deleted, and their objects go with the sweep; what they gave to a tournament, a team, a platform or a library stays without
 * owner. Answers which they are, whose delivery and records are other ones from then on. (M17)
 */
export async function leaveMedia(tx: Tx, userGuid: string, now: Date): Promise<readonly string[]> {
  await endUsages(tx, [userGuid], now)
  const deleted = await deleteOwn(tx, userGuid)
  return [...deleted, ...(await disown(tx, userGuid))]
}
