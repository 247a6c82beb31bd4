import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'
import { matches, matchOfficials } from '../tables.ts'

/** A user's duties at matches, and the maps that the user played. Deleted users are removed from their duties. */
export const matchesPersonalData = declarePersonalData({
  sections: {
    officialAssignments: rowsOf(matchOfficials, 'userGuid', {
      join: [matches, eq(matches.guid, matchOfficials.matchGuid)],
      shows: [pick(matches, 'tournamentGuid'), 'matchGuid', 'role', pick(matches, 'scheduledAt')],
      order: [desc(matches.createdAt), asc(matches.guid)],
    }),
    gamesPlayed: () => listGames,
  },
  forget: [deleteRows(matchOfficials, 'userGuid')],
})

/** The maps of their teams' matches that name the user as a player. */
async function listGames(db: Db, userGuid: string, limit: number) {
  const { rows } = await db.session.orm.execute<Record<string, unknown>>(sql`
    select m.tournament_guid as "tournamentGuid", m.guid as "matchGuid", g->'number' as "number",
      (p->>'score')::bigint::float as "score", (p->>'accuracy')::float as "accuracy"
    from ${teamMembers} t
    join ${matches} m on m.team1_guid = t.team_guid or m.team2_guid = t.team_guid
    cross join jsonb_array_elements(m.games) g
    cross join jsonb_array_elements(coalesce(g->'detail'->'players', '[]')) p
    where t.user_guid = ${userGuid} and p->>'userGuid' = ${userGuid}
    order by m.created_at desc, m.guid, g->'number' limit ${limit}`)
  return rows
}
