import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { awardCategories, awardEditions, awardNominees } from '../tables.ts'
import type { EditionStatus } from '../types.ts'

export const bannerColumn: MediaColumn = {
  table: awardEditions,
  key: awardEditions.guid,
  column: awardEditions.bannerUrl,
}

export const imageColumn: MediaColumn = {
  table: awardNominees,
  key: awardNominees.guid,
  column: awardNominees.imageUrl,
}

export const descriptionColumn: MediaColumn = {
  table: awardEditions,
  key: awardEditions.guid,
  column: awardEditions.description,
  isText: true,
}

export const categoryColumn: MediaColumn = {
  table: awardCategories,
  key: awardCategories.guid,
  column: awardCategories.description,
  isText: true,
}

/** The subject under which pictures of a category’s description are in use. */
export const categorySubject = 'award_category'

/** A named record, with the status of its edition. */
export interface Titled {
  readonly guid: string
  readonly name: string
  readonly status: EditionStatus
}

export async function listTitles(db: Db, guids: readonly string[]): Promise<Titled[]> {
  return db.session.orm
    .select({ guid: awardEditions.guid, name: awardEditions.title, status: awardEditions.status })
    .from(awardEditions)
    .where(sql`${awardEditions.guid} = any(${sql.param([...guids])}::uuid[])`)
}

export async function listCategoryNames(db: Db, guids: readonly string[]): Promise<Titled[]> {
  return db.session.orm
    .select({ guid: awardCategories.guid, name: awardCategories.name, status: awardEditions.status })
    .from(awardCategories)
    .innerJoin(awardEditions, eq(awardEditions.guid, awardCategories.editionGuid))
    .where(sql`${awardCategories.guid} = any(${sql.param([...guids])}::uuid[])`)
}

export async function listLabels(db: Db, guids: readonly string[]): Promise<Titled[]> {
  return db.session.orm
    .select({ guid: awardNominees.guid, name: awardNominees.label, status: awardEditions.status })
    .from(awardNominees)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardNominees.categoryGuid))
    .innerJoin(awardEditions, eq(awardEditions.guid, awardCategories.editionGuid))
    .where(sql`${awardNominees.guid} = any(${sql.param([...guids])}::uuid[])`)
}
