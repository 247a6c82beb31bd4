import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { notices } from '../tables.ts'

/** The notices that a user wrote. They speak for the site, and stay when the account is given up. */
export const noticesPersonalData = { sections: { notices: listNoticesBy } }

async function listNoticesBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: notices.guid,
      title: notices.title,
      content: notices.content,
      createdAt: notices.createdAt,
    })
    .from(notices)
    .where(eq(notices.createdByGuid, userGuid))
    .orderBy(desc(notices.createdAt), desc(notices.guid))
    .limit(limit)
}
