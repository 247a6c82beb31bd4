import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '../../infra/db/database.ts'
import { teams } from '../teams/tables.ts'
import { tournaments } from '../tournaments/tables.ts'

/** (D52) */
const isActive = inArray(tournaments.status, ['draft', 'approved', 'ongoing'])

/** Active tournaments of an organiser, the oldest first. */
export async function listOrganised(db: Db, userGuid: string, limit: number): Promise<{ id: string }[]> {
  return db.session.orm
    .select({ id: tournaments.id })
    .from(tournaments)
    .where(and(eq(tournaments.organiserGuid, userGuid), isActive))
    .orderBy(tournaments.createdAt, tournaments.guid)
    .limit(limit)
}

/** Registered and qualified teams of a captain in active tournaments, the oldest first. */
export async function listCaptained(
  db: Db,
  userGuid: string,
  limit: number,
): Promise<{ name: string; tournamentId: string }[]> {
  return db.session.orm
    .select({ name: teams.name, tournamentId: tournaments.id })
    .from(teams)
    .innerJoin(tournaments, eq(tournaments.guid, teams.tournamentGuid))
    .where(and(eq(teams.captainGuid, userGuid), ne(teams.status, 'unregistered'), isActive))
    .orderBy(teams.createdAt, teams.guid)
    .limit(limit)
}
