import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { awardEditions, awardNominees } from '../tables.ts'

export const bannerColumn: MediaColumn = {
  ...{ table: awardEditions, key: awardEditions.guid, column: awardEditions.bannerUrl },
}

export const imageColumn: MediaColumn = {
  ...{ table: awardNominees, key: awardNominees.guid, column: awardNominees.imageUrl },
}

export async function listTitles(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: awardEditions.guid, title: awardEditions.title })
    .from(awardEditions)
    .where(sql`${awardEditions.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, title }) => [guid, title]))
}

export async function listLabels(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: awardNominees.guid, label: awardNominees.label })
    .from(awardNominees)
    .where(sql`${awardNominees.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, label }) => [guid, label]))
}
