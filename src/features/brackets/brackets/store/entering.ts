import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { teams } from '../../../teams/teams/tables.ts'
import type { TeamStatus } from '../../../teams/teams/types.ts'
import type { EnteringTeam } from '../types.ts'

const { guid, tournamentGuid: ofTournament, name, status, seed, withdrawnAt } = teams
const columns = { guid, tournamentGuid: ofTournament, name, status, seed, withdrawnAt }

/** Teams with one of the statuses, by seed, then by time of registration; at most `limit`. */
export async function listEnteringTeams(
  db: Db,
  tournamentGuid: string,
  statuses: readonly TeamStatus[],
  limit: number,
): Promise<readonly EnteringTeam[]> {
  return db.session.orm
    .select(columns)
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), inArray(teams.status, [...statuses])))
    .orderBy(sql`${teams.seed} asc nulls last`, asc(teams.registeredAt), asc(teams.guid))
    .limit(limit)
}

const named = statement('brackets.entering_teams', (orm) =>
  orm
    .select(columns)
    .from(teams)
    .where(
      and(
        eq(teams.tournamentGuid, sql.placeholder('tournamentGuid')),
        sql`${teams.guid} = any(${sql.placeholder('guids')}::uuid[])`,
      ),
    ),
)

/** The named teams that are in the tournament, by GUID. */
export async function listTeamsNamed(
  db: Db,
  tournamentGuid: string,
  guids: readonly string[],
): Promise<ReadonlyMap<string, EnteringTeam>> {
  if (guids.length === 0) return new Map()
  return new Map((await named(db, { tournamentGuid, guids })).map((team) => [team.guid, team]))
}
