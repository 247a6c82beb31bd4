import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockTournaments } from '../../../tournaments/tournaments/store/tournaments.ts'
import * as platforms from '../../platforms/commands/platforms.ts'
import { lockPlatformList } from '../../platforms/store/platforms.ts'
import { listAskers } from '../store/overview.ts'

/**
 * Deletes a platform with all requests to it. First locks the list of platforms and the tournaments that have asked the
 * platform: public lists are derived from the requests under the lock of the tournament.
 * @throws Problem `platform.unknown`, `platform.is_system`
 */
export async function deletePlatform(tx: Tx, actor: SignedIn, guid: string, now: Date): Promise<void> {
  await lockPlatformList(tx)
  const askers = await listAskers(tx, guid)
  if (askers.length > 0) await lockTournaments(tx, askers)
  await platforms.deletePlatform(tx, actor, guid, now)
}
