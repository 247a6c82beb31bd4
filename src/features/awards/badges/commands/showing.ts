import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readChoice, type ShownAs } from '../rules/showing.ts'
import { lockHeldBy, setHidden, setOrder } from '../store/grants.ts'

/**
 * Has the actor's badges stand in the order that they choose, and hides some of them from others; what is not given stays as it
 * is. (B2; badges: Operations)
 * @throws Problem `badge.grant_not_own`
 */
export async function showAs(tx: Tx, { guid }: SignedIn, given: ShownAs): Promise<void> {
  const held = await lockHeldBy(tx, guid)
  const { order, hidden } = readChoice(given, held)
  if (order !== undefined) await setOrder(tx, guid, order)
  if (hidden !== undefined) await setHidden(tx, guid, hidden)
  if (order === undefined && hidden === undefined) return
  emit(tx, {
    type: 'badge.shown_as',
    subject: guid,
    actor: guid,
    after: {
      ...(order === undefined ? {} : { order }),
      ...(hidden === undefined ? {} : { hidden }),
    },
  })
}
