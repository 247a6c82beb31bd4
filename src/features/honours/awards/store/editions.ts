import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { awardCategories, awardEditions } from '../tables.ts'
import type { Category, Edition } from '../types.ts'

const { createdBy: _maker, ...columns } = getTableColumns(awardEditions)
const categoryColumns = getTableColumns(awardCategories)

/** By GUID, or by id in any case. */
export async function findEdition(db: Db, name: string): Promise<Edition | undefined> {
  const isNamed = isGuid(name)
    ? eq(awardEditions.guid, normaliseGuid(name))
    : sql`lower(${awardEditions.id}) = lower(${name})`
  const [edition] = await db.session.orm.select(columns).from(awardEditions).where(isNamed)
  return edition
}

/** Its status and dates stay as they are until the transaction ends; votes are cast beside each other. */
export async function keepEdition(tx: Tx, guid: string): Promise<Edition | undefined> {
  const [edition] = await tx.session.orm
    .select(columns)
    .from(awardEditions)
    .where(eq(awardEditions.guid, guid))
    .for('share')
  return edition
}

/** Votes stand in one line with whoever locks the edition: rows that are shared again and again would never be free for them. */
const queue = (guid: string) => sql`hashtextextended(${`award ${guid}`}, 0)`

/** The same for a vote, which comes behind whoever waits to close the voting. */
export async function keepVoting(tx: Tx, guid: string): Promise<Edition | undefined> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock_shared(${queue(guid)})`)
  return keepEdition(tx, guid)
}

/** Nobody else votes in it or changes it until the transaction ends. */
export async function lockEdition(tx: Tx, guid: string): Promise<Edition | undefined> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(${queue(guid)})`)
  const [edition] = await tx.session.orm
    .select(columns)
    .from(awardEditions)
    .where(eq(awardEditions.guid, guid))
    .for('update')
  return edition
}

export async function findCategory(db: Db, guid: string): Promise<Category | undefined> {
  const [category] = await db.session.orm
    .select(categoryColumns)
    .from(awardCategories)
    .where(eq(awardCategories.guid, guid))
  return category
}

/** In their order. */
export async function listCategories(db: Db, editionGuid: string): Promise<Category[]> {
  return db.session.orm
    .select(categoryColumns)
    .from(awardCategories)
    .where(eq(awardCategories.editionGuid, editionGuid))
    .orderBy(asc(awardCategories.order), asc(awardCategories.guid))
}
