import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { platforms } from '../../platforms/tables.ts'
import type { FoundTeam, FoundTournament } from '../types.ts'

/** The found records, in the order of their GUIDs; only those of tournaments that the system platform lists. */

const isListed = sql`exists (select from ${listings} join ${platforms} on ${platforms.guid} = ${listings.platformGuid}
  where ${listings.tournamentGuid} = ${tournaments.guid} and ${platforms.isSystem})`
const guids = sql`${sql.placeholder('guids')}::uuid[]`

const tournamentsOf = statement('search.tournaments', (orm) =>
  orm
    .select({
      guid: tournaments.guid,
      id: tournaments.id,
      name: tournaments.name,
      summary: tournaments.summary,
      imageUrl: tournaments.imageUrl,
      status: tournaments.status,
      timezone: tournaments.timezone,
      startsAt: tournaments.startsAt,
      endsAt: tournaments.endsAt,
    })
    .from(tournaments)
    .where(sql`${tournaments.guid} = any(${guids}) and ${isListed}`)
    .orderBy(sql`array_position(${guids}, ${tournaments.guid})`),
)

export async function listFoundTournaments(db: Db, guids: readonly string[]): Promise<readonly FoundTournament[]> {
  return guids.length === 0 ? [] : tournamentsOf(db, { guids })
}

const teamsOf = statement('search.teams', (orm) =>
  orm
    .select({
      guid: teams.guid,
      id: teams.id,
      name: teams.name,
      imageUrl: teams.imageUrl,
      color: teams.color,
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        imageUrl: tournaments.imageUrl,
      },
    })
    .from(teams)
    .innerJoin(tournaments, sql`${tournaments.guid} = ${teams.tournamentGuid}`)
    .where(sql`${teams.guid} = any(${guids}) and ${isListed}`)
    .orderBy(sql`array_position(${guids}, ${teams.guid})`),
)

export async function listFoundTeams(db: Db, guids: readonly string[]): Promise<readonly FoundTeam[]> {
  return guids.length === 0 ? [] : teamsOf(db, { guids })
}
