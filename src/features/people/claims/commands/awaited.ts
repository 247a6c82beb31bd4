import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { notifyAll } from '../../notifications/commands.ts'
import { awaitedNotice, unknownPlace } from '../rules.ts'
import { findAwaited, listAwaited, listAwaitedFor } from '../store/awaited.ts'
import type { AwaitedPlace, Claim, Placeholder } from '../types.ts'
import { become } from './claims.ts'

/** Tells each account for which a tournament that was just imported keeps a place, once. (P6) */
export async function tellAwaited(tx: Tx, tournamentGuid: string, now: Date): Promise<void> {
  await tell(tx, await listAwaited(tx, tournamentGuid), now)
}

/** Tells new accounts of the places that were kept for them before they were there. (P6) */
export async function tellArrived(tx: Tx, userGuids: readonly string[], now: Date): Promise<void> {
  await tell(tx, await listAwaitedFor(tx, userGuids), now)
}

async function tell(tx: Tx, places: readonly AwaitedPlace[], now: Date): Promise<void> {
  await notifyAll(
    tx,
    places.map((place) => ({ ...awaitedNotice(place), userGuid: place.userGuid, createdAt: now })),
  )
}

/**
 * Gives the actor the place that an imported tournament keeps for their chat account. (P6)
 * @throws Problem `user.unknown`, `claim.conflict`, `claim.changed`
 */
export async function takePlace(tx: Tx, actor: SignedIn, placeholder: Placeholder, now: Date): Promise<Claim> {
  return become(tx, actor, placeholder, now, async () => {
    const { guid, chatPlatformId } = placeholder
    if ((await findAwaited(tx, guid, chatPlatformId)) === undefined) throw unknownPlace()
  })
}
