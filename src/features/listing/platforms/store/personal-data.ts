import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { platformMembers as members } from '../tables.ts'

/** What a user is on platforms. */
export const platformsSections = { platformMemberships: listMembershipsOf }

async function listMembershipsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ platformGuid: members.platformGuid, role: members.role, addedAt: members.addedAt })
    .from(members)
    .where(eq(members.userGuid, userGuid))
    .orderBy(desc(members.addedAt), members.platformGuid)
    .limit(limit)
}
