import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { awardCategories, awardNominees } from '../tables.ts'
import type { Nominee } from '../types.ts'

const columns = getTableColumns(awardNominees)

export async function findNominee(db: Db, guid: string): Promise<Nominee | undefined> {
  const [nominee] = await db.session.orm.select(columns).from(awardNominees).where(eq(awardNominees.guid, guid))
  return nominee
}

/** Of all categories of an edition, those that have declined among them; by GUID. */
export async function listNominees(db: Db, editionGuid: string): Promise<Nominee[]> {
  return db.session.orm
    .select(columns)
    .from(awardNominees)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardNominees.categoryGuid))
    .where(eq(awardCategories.editionGuid, editionGuid))
    .orderBy(asc(awardNominees.guid))
}
