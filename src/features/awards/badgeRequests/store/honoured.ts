import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { badges } from '../../badges/tables.ts'

interface Honoured {
  readonly guid: string
  readonly name: string
  readonly organiserGuid: string
}

/** The given tournaments that have badges with holders, by GUID. */
export async function listHonoured(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Honoured>> {
  const rows = await db.session.orm
    .select({ guid: tournaments.guid, name: tournaments.name, organiserGuid: tournaments.organiserGuid })
    .from(tournaments)
    .where(
      sql`${tournaments.guid} = any(${sql.param([...guids])}::uuid[])
        and exists (select from ${badges} where ${badges.tournamentGuid} = ${tournaments.guid} and ${badges.holders} > 0)`,
    )
  return new Map(rows.map((row) => [row.guid, row]))
}
