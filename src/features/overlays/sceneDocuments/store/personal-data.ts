import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { overlayVersions } from '../tables.ts'

/** What somebody kept or published belongs to the tournament, and stays without them. */
export const sceneDocumentsPersonalData = { sections: { overlayVersions: listVersionsBy } }

async function listVersionsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      overlayGuid: overlayVersions.overlayGuid,
      number: overlayVersions.number,
      kind: overlayVersions.kind,
      name: overlayVersions.name,
      at: overlayVersions.at,
    })
    .from(overlayVersions)
    .where(eq(overlayVersions.by, userGuid))
    .orderBy(desc(overlayVersions.at))
    .limit(limit)
}
