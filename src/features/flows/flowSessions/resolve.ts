import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maySeeSession } from './policy.ts'
import { findSessionWithPool, type SessionWithPool } from './store/sessions.ts'
import type { SessionRecord } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    flowSession: SessionRecord
  }
}

/** The session that `:flowSession` names, in any tournament. */
export async function findAddressed(db: Db, value: string): Promise<SessionWithPool | undefined> {
  return isGuid(value) ? findSessionWithPool(db, normaliseGuid(value)) : undefined
}

/**
 * Resolves `:flowSession` in an address, in the tournament that the address names before it. A session that the actor
 * may not see is answered as unknown. (D5)
 */
export const resolveFlowSession: Resolver = async ({ actor, records, ahead }) => {
  const tournament = records.tournament as Tournament
  const found = ahead as SessionWithPool | undefined
  if (found?.record.tournamentGuid !== tournament.guid) throw unknownSession()
  if (!maySeeSession(actor, found.record, found.pool)) throw unknownSession()
  return { record: found.record }
}

export function unknownSession() {
  return missing('flow.session_unknown', 'There is no such session in this tournament.')
}
