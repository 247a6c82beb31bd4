import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { updates } from '../tables.ts'

/** What a user has published. It stays when the account is given up: it speaks for the tournament. */
export const updatesPersonalData = { sections: { updates: listUpdatesBy } }

async function listUpdatesBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: updates.guid,
      tournamentGuid: updates.tournamentGuid,
      title: updates.title,
      content: updates.content,
      changes: updates.changes,
      createdAt: updates.createdAt,
      updatedAt: updates.updatedAt,
    })
    .from(updates)
    .where(and(eq(updates.authorGuid, userGuid), isNull(updates.deletedAt)))
    .orderBy(desc(updates.createdAt), desc(updates.guid))
    .limit(limit)
}
