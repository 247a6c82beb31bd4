import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { teams } from '../tables.ts'
import type { TeamSummary } from '../types.ts'

const summaries = statement('teams.summaries', (orm) =>
  orm
    .select({ guid: teams.guid, id: teams.id, name: teams.name, imageUrl: teams.imageUrl, color: teams.color })
    .from(teams)
    .where(sql`${teams.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the summaries of teams by GUID, as other records show them. GUIDs may repeat. */
export async function listTeamSummaries(
  db: Db,
  guids: readonly (string | null)[],
): Promise<ReadonlyMap<string, TeamSummary>> {
  const wanted = new Set(guids.filter((guid) => guid !== null))
  if (wanted.size === 0) return new Map()
  return new Map((await summaries(db, { guids: [...wanted] })).map((team) => [team.guid, team]))
}
