import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { rankingProfiles } from '../../../people/rankings/tables.ts'
import { identities } from '../../../people/users/tables.ts'
import { teamMembers, teams } from '../tables.ts'
import type { TeamRank, TeamRankPlatform } from '../types.ts'

const ranked = statement('teams.ranked', (orm) => {
  const mean = sql<number | null>`round(avg(${rankingProfiles.rank}), 1)::float8`
  return orm
    .select({
      guid: teams.guid,
      id: teams.id,
      name: teams.name,
      imageUrl: teams.imageUrl,
      color: teams.color,
      rank: mean,
      ranked: sql<number>`count(${rankingProfiles.rank})::int`,
      players: sql<number>`count(${teamMembers.userGuid})::int`,
    })
    .from(teams)
    .leftJoin(teamMembers, and(eq(teamMembers.teamGuid, teams.guid), eq(teamMembers.isActive, true)))
    .leftJoin(
      identities,
      and(
        eq(identities.userGuid, teamMembers.userGuid),
        eq(identities.platform, sql.placeholder('platform')),
        isNotNull(identities.verifiedAt),
      ),
    )
    .leftJoin(
      rankingProfiles,
      and(eq(rankingProfiles.platform, identities.platform), eq(rankingProfiles.externalId, identities.externalId)),
    )
    .where(and(eq(teams.tournamentGuid, sql.placeholder('tournament')), ne(teams.status, 'unregistered')))
    .groupBy(teams.guid)
    .orderBy(sql`${mean} nulls last`, asc(teams.registeredAt), asc(teams.guid))
    .limit(sql.placeholder('limit'))
})

/** Registered and qualified teams by the mean of the last known ranks of their active members, the best first. */
export async function listRanks(
  db: Db,
  tournament: string,
  platform: TeamRankPlatform,
  limit: number,
): Promise<readonly TeamRank[]> {
  return ranked(db, { tournament, platform, limit })
}
