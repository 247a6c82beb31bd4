import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { visibilityDecisions as decisions, visibilityRequests as requests } from '../tables.ts'

/** What a user has decided as a reviewer. It stays when the account is given up: it is about the tournaments. */
export const visibilityPersonalData = { sections: { visibilityDecisions: listDecisionsOf } }

async function listDecisionsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      requestGuid: requests.guid,
      tournamentGuid: requests.tournamentGuid,
      platformGuid: requests.platformGuid,
      decision: decisions.decision,
      reason: decisions.reason,
      decidedAt: decisions.decidedAt,
    })
    .from(decisions)
    .innerJoin(requests, eq(requests.guid, decisions.requestGuid))
    .where(eq(decisions.decidedByGuid, userGuid))
    .orderBy(desc(decisions.number))
    .limit(limit)
}
