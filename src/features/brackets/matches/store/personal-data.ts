import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'
import { matches, matchOfficials } from '../tables.ts'

/** What is kept about users at matches: what they were to do there, and what they played. */
export const matchesPersonalData = {
  sections: { officialAssignments: listAssignments, gamesPlayed: listGames },
  forget: leaveMatches,
}

async function listAssignments(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: matches.tournamentGuid,
      matchGuid: matchOfficials.matchGuid,
      role: matchOfficials.role,
      scheduledAt: matches.scheduledAt,
    })
    .from(matchOfficials)
    .innerJoin(matches, eq(matches.guid, matchOfficials.matchGuid))
    .where(eq(matchOfficials.userGuid, userGuid))
    .orderBy(desc(matches.createdAt), matches.guid)
    .limit(limit)
}

/** Of the matches of their teams, the maps that name them as a player. */
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

/** Whoever is gone works at no match. */
async function leaveMatches(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(matchOfficials).where(eq(matchOfficials.userGuid, guid))
}
