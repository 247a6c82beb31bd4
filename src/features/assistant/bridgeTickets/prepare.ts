import type { RequestFacts } from '../../../core/operation.ts'
import type { Db } from '../../../infra/db/database.ts'
import { digestOf } from '../../../infra/secrets.ts'
import { isStillOperator } from '../assistantSessions/store/operators.ts'
import { ticketInvalid } from './rules.ts'
import { findTicket } from './store.ts'
import type { BridgeTicket } from './types.ts'

interface Asking {
  readonly db: Db
  readonly request: Pick<RequestFacts, 'address' | 'countGuess' | 'countUse'>
  readonly now: Date
}

/**
 * Checks a ticket. A ticket allows reporting for one player and one match, and nothing else. It becomes invalid when
 * its maker is no longer an operator, or is banned or deleted, because the maker may have kept it. (AS5, AS30)
 * @throws Problem `bridge.ticket_invalid`, `request.limited`
 */
export async function proveTicket({ db, request, now }: Asking, ticket: string): Promise<BridgeTicket> {
  const found = await findTicket(db, digestOf(ticket), now)
  if (found === undefined || !(await isVouchedFor(db, found))) {
    request.countGuess(request.address)
    throw ticketInvalid()
  }
  request.countUse('bridge', found.guid)
  return found
}

async function isVouchedFor(db: Db, { madeBy, tournament }: BridgeTicket): Promise<boolean> {
  return madeBy !== null && (await isStillOperator(db, tournament.guid, madeBy))
}
