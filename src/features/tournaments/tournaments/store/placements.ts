import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { teams } from '../../../teams/teams/tables.ts'

/** The data of a team that a placement shows. */
export interface PlacedTeam {
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
}

const placed = statement('tournaments.placed_teams', (orm) =>
  orm
    .select({ guid: teams.guid, id: teams.id, name: teams.name, imageUrl: teams.imageUrl })
    .from(teams)
    .where(sql`${teams.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

export async function listPlacedTeams(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, PlacedTeam>> {
  if (guids.length === 0) return new Map()
  return new Map((await placed(db, { guids })).map((team) => [team.guid, team]))
}
