import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { imports } from '../tables.ts'

/** What a user has started. It stays for the poolers of the tournament, until it is deleted with its age. */
export const importsPersonalData = { sections: { imports: listImportsBy } }

async function listImportsBy(db: Db, userGuid: string, limit: number) {
  const rows = await db.session.orm
    .select({
      guid: imports.guid,
      tournamentGuid: imports.tournamentGuid,
      poolGuid: imports.poolGuid,
      request: imports.request,
      dryRun: imports.dryRun,
      status: imports.status,
      createdAt: imports.createdAt,
      finishedAt: imports.finishedAt,
    })
    .from(imports)
    .where(eq(imports.startedByGuid, userGuid))
    .orderBy(desc(imports.createdAt), desc(imports.guid))
    .limit(limit)
  return rows.map(({ request, ...row }) => ({ ...row, source: request.source, reason: request.reason }))
}
