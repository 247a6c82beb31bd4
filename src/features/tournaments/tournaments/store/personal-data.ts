import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { tournaments } from '../tables.ts'

/** The tournaments that a user organises. They stay when the account is given up: only those that are over can be left. */
export const tournamentsPersonalData = { sections: { tournaments: listOrganisedBy } }

/** Without the chat webhook, which is never returned. */
async function listOrganisedBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: tournaments.guid,
      id: tournaments.id,
      name: tournaments.name,
      status: tournaments.status,
      approvedAt: tournaments.approvedAt,
      completedAt: tournaments.completedAt,
      createdAt: tournaments.createdAt,
    })
    .from(tournaments)
    .where(eq(tournaments.organiserGuid, userGuid))
    .orderBy(desc(tournaments.createdAt), desc(tournaments.guid))
    .limit(limit)
}
