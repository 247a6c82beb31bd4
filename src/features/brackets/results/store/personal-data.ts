import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { corrections } from '../tables.ts'

/** What users corrected. It stays when they are gone: it tells how results came to be. */
export const resultsPersonalData = {
  sections: { corrections: listCorrections },
}

async function listCorrections(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: corrections.guid,
      tournamentGuid: corrections.tournamentGuid,
      matchGuid: corrections.matchGuid,
      teamGuid: corrections.teamGuid,
      reason: corrections.reason,
      createdAt: corrections.createdAt,
      undoneAt: corrections.undoneAt,
    })
    .from(corrections)
    .where(eq(corrections.actorGuid, userGuid))
    .orderBy(desc(corrections.createdAt), corrections.guid)
    .limit(limit)
}
