import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { appearances } from '../tables.ts'

/** Where a user played: history, which knows them by their GUID when they are gone. */
export const registrationPersonalData = {
  sections: { appearances: listAppearancesOf },
}

async function listAppearancesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ tournamentGuid: appearances.tournamentGuid, firstAt: appearances.firstAt })
    .from(appearances)
    .where(eq(appearances.userGuid, userGuid))
    .orderBy(desc(appearances.firstAt), appearances.tournamentGuid)
    .limit(limit)
}
