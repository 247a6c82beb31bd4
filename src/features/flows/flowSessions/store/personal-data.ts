import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { flowRows, flowSessions } from '../tables.ts'

/** What users did in sessions. It stays when they are gone, by their GUIDs alone: states are worked out from all rows of a log. */
export const flowSessionsPersonalData = {
  sections: { flowRows: listRowsBy, flowSessionsBegun: listBegunBy },
}

async function listRowsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: flowRows.tournamentGuid,
      sessionGuid: flowRows.sessionGuid,
      position: flowRows.position,
      kind: flowRows.kind,
      seat: flowRows.seat,
      mapGuid: flowRows.mapGuid,
      at: flowRows.at,
    })
    .from(flowRows)
    .where(eq(flowRows.byGuid, userGuid))
    .orderBy(desc(flowRows.at), desc(flowRows.sessionGuid), desc(flowRows.position))
    .limit(limit)
}

async function listBegunBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: flowSessions.guid,
      tournamentGuid: flowSessions.tournamentGuid,
      matchGuid: flowSessions.matchGuid,
      flowName: flowSessions.flowName,
      createdAt: flowSessions.createdAt,
    })
    .from(flowSessions)
    .where(eq(flowSessions.begunByGuid, userGuid))
    .orderBy(desc(flowSessions.createdAt), desc(flowSessions.guid))
    .limit(limit)
}
