import type { SignedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { findConnectionOf } from '../../../infra/realtime/store/connections.ts'
import { insertTicket } from '../../../infra/realtime/store/tickets.ts'
import { digestOf, newSecret } from '../../../infra/secrets.ts'
import { ticketSeconds } from './rules.ts'

/**
 * Closes a caller's connection on any process. Every process receives the event.
 * @throws Problem `connection.unknown`, also for another user's connection
 */
export async function closeConnection(tx: Tx, actor: SignedIn, identifier: string): Promise<void> {
  const guid = isGuid(identifier) ? normaliseGuid(identifier) : null
  const held = guid === null ? undefined : await findConnectionOf(tx, actor.guid, guid)
  if (held === undefined) throw missing('connection.unknown', 'You have no such connection.')
  emit(tx, { type: 'connection.closed', subject: held.guid, actor: actor.guid })
}

/** Makes a ticket that has the rights of the actor's token. */
export async function makeTicket(
  tx: Tx,
  actor: SignedIn,
  topics: readonly string[] | null,
  now: Date,
): Promise<{ readonly ticket: string; readonly expiresAt: Date }> {
  const ticket = newSecret()
  const expiresAt = new Date(now.getTime() + ticketSeconds * 1000)
  if (actor.token === null) throw new Error('whoever has a scope has a token')
  const what = { userGuid: actor.guid, jti: actor.token.jti, scopes: [...actor.scopes], topics }
  await insertTicket(tx, digestOf(ticket), what, expiresAt)
  return { ticket, expiresAt }
}
