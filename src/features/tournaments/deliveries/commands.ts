import { missing } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { schedule } from '../chatDeliveries/commands/schedule.ts'
import { isRemoval, removed, retried } from '../chatDeliveries/rules/delivery.ts'
import { lockDelivery, saveDelivery } from '../chatDeliveries/store/deliveries.ts'
import type { Delivery } from '../chatDeliveries/types.ts'
import { lockTournament } from '../tournaments/commands/lock.ts'

/**
 * Takes up what failed of a delivery; of one whose messages are being removed, the removal. (D33, D51)
 * @throws Problem `delivery.unknown`, `tournament.unknown`
 */
export async function retryDelivery(tx: Tx, tournamentGuid: string, guid: string, now: Date): Promise<Delivery> {
  await lockTournament(tx, tournamentGuid)
  const before = (await lockDelivery(tx, guid))?.delivery
  if (before?.tournamentGuid !== tournamentGuid) throw missing('delivery.unknown', 'There is no such delivery.')
  const next = isRemoval(before) ? removed(before, now) : retried(before, now)
  if (next !== before) await saveDelivery(tx, before, next)
  if (next !== null) await schedule(tx, next)
  return next ?? before
}
