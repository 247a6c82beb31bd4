import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import type { Shortlist } from '../rules/phases.ts'
import { awardCategories, awardNominees } from '../tables.ts'
import type { Category } from '../types.ts'

const columns = getTableColumns(awardCategories)

export type NewCategory = Omit<Category, 'guid' | 'order' | 'runoffNominees'>

export async function countCategories(db: Db, editionGuid: string): Promise<number> {
  return db.session.orm.$count(awardCategories, eq(awardCategories.editionGuid, editionGuid))
}

/** Inserts a category after all others. The caller must hold the edition's lock. */
export async function insertCategory(tx: Tx, category: NewCategory): Promise<Category> {
  const last = sql<number>`(select coalesce(max(c."order") + 1, 0) from ${awardCategories} c where c.edition_guid = ${category.editionGuid})`
  const [row] = await tx.session.orm
    .insert(awardCategories)
    .values({ ...category, order: last })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted category was not returned')
  return row
}

export type CategoryChanges = Partial<Omit<NewCategory, 'editionGuid'>>

export async function updateCategory(tx: Tx, guid: string, changes: CategoryChanges): Promise<Category> {
  const [row] = await tx.session.orm
    .update(awardCategories)
    .set(changes)
    .where(eq(awardCategories.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated category was not returned')
  return row
}

export async function deleteCategory(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(awardCategories).where(eq(awardCategories.guid, guid))
}

/** Saves the order of an edition's categories. The caller must hold the edition's lock. */
export async function orderCategories(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${awardCategories} c set "order" = o.place - 1
    from unnest(${sql.param([...guids])}::uuid[]) with ordinality as o (guid, place)
    where c.guid = o.guid and c."order" <> o.place - 1`)
}

/** The categories of an edition, each with the number of its nominees that have not declined. */
export async function listShortlists(db: Db, editionGuid: string): Promise<Shortlist[]> {
  return db.session.orm
    .select({
      guid: awardCategories.guid,
      name: awardCategories.name,
      shortlistSize: awardCategories.shortlistSize,
      nominees: sql<number>`count(${awardNominees.guid})::int`,
    })
    .from(awardCategories)
    .leftJoin(
      awardNominees,
      and(eq(awardNominees.categoryGuid, awardCategories.guid), isNull(awardNominees.declinedAt)),
    )
    .where(eq(awardCategories.editionGuid, editionGuid))
    .groupBy(awardCategories.guid)
    .orderBy(awardCategories.order, awardCategories.guid)
}
