import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../infra/db/database.ts'
import { visibilityRequests as requests } from '../tables.ts'

/** What a user has decided as a reviewer. It stays when the account is given up: it is about the tournaments. */
export const visibilityHoldings = { sections: { visibilityDecisions: listDecisionsOf } }

async function listDecisionsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      requestGuid: requests.guid,
      tournamentGuid: requests.tournamentGuid,
      platformGuid: requests.platformGuid,
      decision: requests.status,
      reason: requests.reason,
      decidedAt: requests.decidedAt,
    })
    .from(requests)
    .where(eq(requests.decidedByGuid, userGuid))
    .orderBy(desc(requests.decidedAt), desc(requests.guid))
    .limit(limit)
}
