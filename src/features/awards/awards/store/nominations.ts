import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { awardCategories, awardNominations } from '../tables.ts'
import type { Nomination } from '../types.ts'

const columns = getTableColumns(awardNominations)
const stands = isNull(awardNominations.withdrawnAt)

export async function findNomination(db: Db, guid: string): Promise<Nomination | undefined> {
  const [row] = await db.session.orm.select(columns).from(awardNominations).where(eq(awardNominations.guid, guid))
  return row
}

/** Locks a user's nominations in a category, so that concurrent ones are checked one after the other. */
export async function lockNominating(tx: Tx, categoryGuid: string, userGuid: string): Promise<void> {
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`award_nominations ${categoryGuid} ${userGuid}`}, 0))`,
  )
}

/** A user's nominations in a category that are not withdrawn. The rules limit their number. */
export async function listOwnNominations(db: Db, categoryGuid: string, userGuid: string): Promise<Nomination[]> {
  return db.session.orm
    .select(columns)
    .from(awardNominations)
    .where(and(eq(awardNominations.categoryGuid, categoryGuid), eq(awardNominations.userGuid, userGuid), stands))
    .orderBy(desc(awardNominations.createdAt), desc(awardNominations.guid))
}

/** The number of a user's nominations in a category, withdrawn ones included. */
export async function countMade(db: Db, categoryGuid: string, userGuid: string): Promise<number> {
  const own = and(eq(awardNominations.categoryGuid, categoryGuid), eq(awardNominations.userGuid, userGuid))
  return db.session.orm.$count(awardNominations, own)
}

/** Nominations that are not withdrawn, newest first; up to `limit` + 1. */
export async function listNominations(
  db: Db,
  categoryGuid: string,
  { after, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<Nomination[]> {
  return db.session.orm
    .select(columns)
    .from(awardNominations)
    .where(and(eq(awardNominations.categoryGuid, categoryGuid), stands, madeBefore(awardNominations, after)))
    .orderBy(desc(awardNominations.createdAt), desc(awardNominations.guid))
    .limit(limit + 1)
}

/** How many users nominate each target, by target key. */
export async function countByTarget(
  db: Db,
  categoryGuid: string,
  targetKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.session.orm
    .select({ targetKey: awardNominations.targetKey, count: sql<number>`count(*)::int` })
    .from(awardNominations)
    .where(
      and(
        eq(awardNominations.categoryGuid, categoryGuid),
        stands,
        sql`${awardNominations.targetKey} = any(${sql.param([...targetKeys])}::text[])`,
      ),
    )
    .groupBy(awardNominations.targetKey)
  return new Map(rows.map(({ targetKey, count }) => [targetKey, count]))
}

/** How many users' nominations were merged into each nominee of an edition. */
export async function countMerged(db: Db, editionGuid: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.session.orm
    .select({
      guid: sql<string>`${awardNominations.nomineeGuid}`,
      count: sql<number>`count(distinct ${awardNominations.userGuid})::int`,
    })
    .from(awardNominations)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardNominations.categoryGuid))
    .where(and(eq(awardCategories.editionGuid, editionGuid), stands, sql`${awardNominations.nomineeGuid} is not null`))
    .groupBy(awardNominations.nomineeGuid)
  return new Map(rows.map(({ guid, count }) => [guid, count]))
}

export type NewNomination = Omit<Nomination, 'guid' | 'nomineeGuid' | 'createdAt' | 'withdrawnAt'>

export async function insertNomination(tx: Tx, nomination: NewNomination, now: Date): Promise<Nomination> {
  const [row] = await tx.session.orm
    .insert(awardNominations)
    .values({ ...nomination, createdAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted nomination was not returned')
  return row
}

/** Returns whether the nomination was not withdrawn yet. */
export async function withdrawNomination(tx: Tx, guid: string, now: Date): Promise<boolean> {
  const rows = await tx.session.orm
    .update(awardNominations)
    .set({ withdrawnAt: now })
    .where(and(eq(awardNominations.guid, guid), stands))
    .returning({ guid: awardNominations.guid })
  return rows.length > 0
}

/** Locks the given nominations that are in the category and not withdrawn, so that no other transaction merges them. */
export async function lockNominations(tx: Tx, categoryGuid: string, guids: readonly string[]): Promise<Nomination[]> {
  return tx.session.orm
    .select(columns)
    .from(awardNominations)
    .where(
      and(
        sql`${awardNominations.guid} = any(${sql.param([...guids])}::uuid[])`,
        eq(awardNominations.categoryGuid, categoryGuid),
        stands,
      ),
    )
    .orderBy(awardNominations.guid)
    .for('no key update')
}

/** Merges exactly these nominations into a nominee. */
export async function mergeInto(tx: Tx, nomineeGuid: string, guids: readonly string[]): Promise<void> {
  const named = sql`${awardNominations.guid} = any(${sql.param([...guids])}::uuid[])`
  const { orm } = tx.session
  await orm
    .update(awardNominations)
    .set({ nomineeGuid: null })
    .where(and(eq(awardNominations.nomineeGuid, nomineeGuid), sql`not (${named})`))
  await orm.update(awardNominations).set({ nomineeGuid }).where(named)
}
