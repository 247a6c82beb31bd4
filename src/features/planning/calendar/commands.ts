import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { digestOf, newSecret } from '../../../infra/secrets.ts'
import { lockAccountForKeyShare } from '../../people/users/commands/users.ts'
import { deleteToken, putToken } from './store/tokens.ts'

/**
 * Creates a secret address for the user's calendar. A previous address stops working. (awards: What stands already)
 * @throws Problem `user.unknown` for an account that was deleted in the meantime
 */
export async function makeToken(tx: Tx, actor: SignedIn, now: Date): Promise<string> {
  await lockAccountForKeyShare(tx, actor.guid)
  const token = newSecret()
  await putToken(tx, actor.guid, digestOf(token), now)
  emit(tx, {
    type: 'calendar.address_made',
    subject: actor.guid,
    actor: actor.guid,
    after: { user: actor.guid },
  })
  return token
}

/** Deletes the secret address, so that the calendar can no longer be read by it. (awards: What stands already) */
export async function revokeToken(tx: Tx, actor: SignedIn): Promise<void> {
  if (!(await deleteToken(tx, actor.guid))) return
  emit(tx, {
    type: 'calendar.address_revoked',
    subject: actor.guid,
    actor: actor.guid,
    before: { user: actor.guid },
  })
}
