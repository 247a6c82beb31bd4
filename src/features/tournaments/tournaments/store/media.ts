import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { pools } from '../../../maps/pools/tables.ts'
import { overlays } from '../../../overlays/overlays/tables.ts'
import { availabilitySheets } from '../../../planning/availability/tables.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { updates } from '../../updates/tables.ts'
import { tournaments } from '../tables.ts'

export const imageColumn: MediaColumn = { table: tournaments, key: tournaments.guid, column: tournaments.imageUrl }
/** The tournament's Markdown texts. */
export const textNames = ['description', 'rules', 'prizes'] as const
export type TextName = (typeof textNames)[number]

export function textColumn(name: TextName): MediaColumn {
  return { table: tournaments, key: tournaments.guid, column: tournaments[name], isText: true }
}

export const bannerColumn: MediaColumn = { table: tournaments, key: tournaments.guid, column: tournaments.bannerUrl }

/** The GUIDs of the tournament and of all records in it that may show pictures. */
export async function listPictured(db: Db, guid: string): Promise<string[]> {
  const { rows } = await db.session.orm.execute<{ guid: string }>(sql`
    select ${guid}::uuid as guid
    union all select t.guid from ${teams} t where t.tournament_guid = ${guid}
    union all select u.guid from ${updates} u where u.tournament_guid = ${guid}
    union all select s.guid from ${availabilitySheets} s where s.tournament_guid = ${guid}
    union all select p.guid from ${pools} p where p.tournament_guid = ${guid}
    union all select o.guid from ${overlays} o where o.tournament_guid = ${guid}`)
  return rows.map((row) => row.guid)
}
