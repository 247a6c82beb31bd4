import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { streamAssignments as assignments } from '../tables.ts'

/** What a user was to show. What the staff noted of them stays with the staff. */
export async function listAssignmentsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: assignments.guid,
      tournamentGuid: assignments.tournamentGuid,
      matchGuid: assignments.matchGuid,
      role: assignments.role,
      side: assignments.side,
      slot: assignments.slot,
      startsAt: assignments.startsAt,
      endsAt: assignments.endsAt,
      cancelledAt: assignments.cancelledAt,
      createdAt: assignments.createdAt,
    })
    .from(assignments)
    .where(eq(assignments.userGuid, userGuid))
    .orderBy(desc(assignments.startsAt), desc(assignments.guid))
    .limit(limit)
}
