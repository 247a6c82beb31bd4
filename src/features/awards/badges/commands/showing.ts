import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readChoice, type ShownAs } from '../rules/showing.ts'
import { lockHeldBy, setShown } from '../store/grants.ts'

/**
 * Sets the order of the actor's badges, and hides some of them from others. A missing list leaves that part unchanged.
 * (B2; badges: Operations)
 * @throws Problem `badge.grant_not_own`
 */
export async function showAs(tx: Tx, { guid }: SignedIn, given: ShownAs): Promise<void> {
  const held = await lockHeldBy(tx, guid)
  const chosen = readChoice(given, held)
  if (chosen.order === undefined && chosen.hidden === undefined) return
  await setShown(tx, guid, chosen)
  emit(tx, { type: 'badge.shown_as', subject: guid, actor: guid, after: { ...chosen } })
}
