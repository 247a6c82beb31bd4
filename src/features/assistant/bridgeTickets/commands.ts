import type { SignedIn } from '../../../core/actor.ts'
import { missing } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { digestOf, newSecret } from '../../../infra/secrets.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { lockAccountForKeyShare } from '../../people/users/commands/users.ts'
import { findUser } from '../../people/users/store/users.ts'
import type { FinishInput } from '../proposals/bodies.ts'
import { reportFinish } from '../proposals/commands/finishing.ts'
import { checkPlays } from '../proposals/queries.ts'
import { checkIsOf, ticketEnd, ticketInvalid } from './rules.ts'
import { deleteTicket, lockTicketForShare, putTicket } from './store.ts'
import type { BridgeTicket, MadeTicket } from './types.ts'

/**
 * Makes a player's ticket for a match. The player's earlier ticket becomes invalid. (AS30)
 * @throws Problem `user.unknown`, `live.player_unknown`
 */
export async function makeTicket(
  tx: Tx,
  actor: SignedIn,
  match: MatchRecord,
  identifier: string,
  now: Date,
): Promise<MadeTicket> {
  const userGuid = (await findUser(tx, identifier))?.guid
  if (userGuid === undefined) throw missing('user.unknown', 'There is no such user.')
  await lockAccountForKeyShare(tx, userGuid)
  await checkPlays(tx, match, userGuid)
  const ticket = newSecret()
  const expiresAt = ticketEnd(now)
  const { guid: matchGuid, tournamentGuid: tournament } = match
  const subject = await putTicket(tx, {
    digest: digestOf(ticket),
    tournamentGuid: tournament,
    matchGuid,
    userGuid,
    madeBy: actor.guid,
    createdAt: now,
    expiresAt,
  })
  emit(tx, {
    type: 'assistant.bridge_ticket_made',
    subject,
    tournament,
    actor: actor.guid,
    after: { match: matchGuid, user: userGuid, expiresAt: formatInstant(expiresAt) },
  })
  return { ticket, userGuid, expiresAt }
}

/** Deletes a player's ticket for a match. It becomes invalid immediately. (AS30) */
export async function endTicket(
  tx: Tx,
  actor: SignedIn,
  { guid: matchGuid, tournamentGuid: tournament }: Pick<MatchRecord, 'guid' | 'tournamentGuid'>,
  userGuid: string,
  now: Date,
): Promise<void> {
  const ended = await deleteTicket(tx, matchGuid, userGuid)
  if (ended === undefined || ended.expiresAt <= now) return
  emit(tx, {
    type: 'assistant.bridge_ticket_ended',
    subject: ended.guid,
    tournament,
    actor: actor.guid,
    before: { match: matchGuid, user: userGuid },
  })
}

/**
 * Saves a song's result as if the player had reported it. (AS30, AS31)
 * @throws Problem `bridge.ticket_invalid`, `tournament.cancelled`, and those of `reportFinish`
 */
export async function reportFinishBy(tx: Tx, ticket: BridgeTicket, report: FinishInput, now: Date) {
  checkIsOf(ticket)
  const finished = await reportFinish(tx, ticket.match.guid, ticket.user.guid, report, now)
  // The ticket is locked last. Otherwise a request that ends the ticket or deletes its match could deadlock with this
  // one.
  const kept = await lockTicketForShare(tx, ticket.guid, now)
  if (kept === undefined) throw ticketInvalid()
  checkIsOf(kept)
  return finished
}
