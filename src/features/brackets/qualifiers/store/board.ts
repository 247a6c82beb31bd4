import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { rankingProfiles } from '../../../people/rankings/tables.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { qualifierAttempts as attempts } from '../tables.ts'

/** Reads the data of the standings. */

const tournamentGuid = sql.placeholder('tournamentGuid')
const takesPart = and(inArray(teams.status, ['registered', 'qualified']), isNull(teams.withdrawnAt))

const teamsOf = statement('qualifiers.teams', (orm) =>
  orm
    .select({
      guid: teams.guid,
      id: teams.id,
      name: teams.name,
      imageUrl: teams.imageUrl,
      color: teams.color,
      status: teams.status,
      seed: teams.seed,
    })
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), takesPart))
    .orderBy(asc(teams.registeredAt), asc(teams.createdAt), asc(teams.guid)),
)

/** Registered and qualified teams, in the order of their registration. */
export async function listTeams(db: Db, tournament: string) {
  return teamsOf(db, { tournamentGuid: tournament })
}
export type BoardTeam = Awaited<ReturnType<typeof listTeams>>[number]

const playersOf = statement('qualifiers.players', (orm) =>
  orm
    .select({
      guid: users.guid,
      username: users.username,
      preferredName: users.preferredName,
      avatarUrl: users.avatarUrl,
      teamGuid: teams.guid,
      isActive: teamMembers.isActive,
      rankingRank: rankingProfiles.rank,
    })
    .from(teams)
    .innerJoin(teamMembers, eq(teamMembers.teamGuid, teams.guid))
    .innerJoin(users, eq(users.guid, teamMembers.userGuid))
    .leftJoin(
      identities,
      and(
        eq(identities.userGuid, users.guid),
        eq(identities.platform, 'ranking-a'),
        sql`${identities.verifiedAt} is not null`,
      ),
    )
    .leftJoin(
      rankingProfiles,
      and(eq(rankingProfiles.platform, 'ranking-a'), eq(rankingProfiles.externalId, identities.externalId)),
    )
    .where(and(eq(teams.tournamentGuid, tournamentGuid), takesPart))
    .orderBy(asc(teams.registeredAt), asc(teams.guid), asc(teamMembers.joinedAt), asc(users.guid)),
)

/** The members of the teams that `listTeams` returns. */
export async function listPlayers(db: Db, tournament: string) {
  return playersOf(db, { tournamentGuid: tournament })
}
export type BoardPlayer = Awaited<ReturnType<typeof listPlayers>>[number]

const bestColumns = {
  attempt: attempts.guid,
  player: attempts.userGuid,
  map: attempts.mapGuid,
  team: attempts.teamGuid,
  score: attempts.score,
  accuracy: attempts.accuracy,
  misses: attempts.misses,
  badCuts: attempts.badCuts,
  maxCombo: attempts.maxCombo,
  fullCombo: attempts.fullCombo,
  completion: attempts.completion,
}

/** Standings need at most the best attempt of a player on a map, for each team and each completion. */
const perPlay = [attempts.userGuid, attempts.mapGuid, attempts.completion, attempts.teamGuid]
const isResult = and(isNull(attempts.voidedAt), inArray(attempts.completion, ['passed', 'failed']))

const bestsOf = statement('qualifiers.bests', (orm) =>
  orm
    .selectDistinctOn(perPlay, bestColumns)
    .from(attempts)
    .where(and(eq(attempts.qualifierGuid, sql.placeholder('qualifierGuid')), isResult))
    .orderBy(...perPlay, sql`${attempts.score} desc`, sql`${attempts.accuracy} desc nulls last`),
)

export async function listBests(db: Db, qualifierGuid: string) {
  return bestsOf(db, { qualifierGuid })
}
export type BestAttempt = Awaited<ReturnType<typeof listBests>>[number]

const bestsOfPlayer = statement('qualifiers.bests_of_player', (orm) =>
  orm
    .selectDistinctOn(perPlay, bestColumns)
    .from(attempts)
    .where(
      and(
        eq(attempts.qualifierGuid, sql.placeholder('qualifierGuid')),
        eq(attempts.userGuid, sql.placeholder('userGuid')),
        isResult,
      ),
    )
    .orderBy(...perPlay, sql`${attempts.score} desc`, sql`${attempts.accuracy} desc nulls last`),
)

export async function listBestsOf(db: Db, qualifierGuid: string, userGuid: string): Promise<BestAttempt[]> {
  return bestsOfPlayer(db, { qualifierGuid, userGuid })
}

const playerRefs = statement('qualifiers.player_refs', (orm) =>
  orm
    .select({
      guid: users.guid,
      username: users.username,
      preferredName: users.preferredName,
      avatarUrl: users.avatarUrl,
    })
    .from(users)
    .where(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Users as rows show them, by GUID. */
export async function listPlayerRefs(db: Db, guids: readonly string[]) {
  const rows = guids.length === 0 ? [] : await playerRefs(db, { guids: [...new Set(guids)] })
  return new Map(rows.map((row) => [row.guid, row]))
}
