import { and, asc, desc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../../core/ids.ts'
import type { MakingPosition } from '../../../../core/page.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { madeBefore } from '../../../../infra/db/making.ts'
import type { EditionSettings } from '../rules/settings.ts'
import { awardCategories, awardEditions } from '../tables.ts'
import type { Category, Edition } from '../types.ts'

const { createdBy: _maker, ...columns } = getTableColumns(awardEditions)
export const editionColumns = columns
const categoryColumns = getTableColumns(awardCategories)

/** By GUID, or by id in any case. */
export async function findEdition(db: Db, name: string): Promise<Edition | undefined> {
  const named = parseIdentifier(name)
  if (named === null) return undefined
  const isNamed = 'guid' in named ? eq(awardEditions.guid, named.guid) : sql`lower(${awardEditions.id}) = ${named.id}`
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

/** The same for a vote or a nomination, which comes behind whoever waits to close the voting. */
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

/** One page, newest first, one row beyond `limit`. */
export async function listEditions(
  db: Db,
  {
    after,
    limit,
    isManager,
  }: { readonly after?: MakingPosition | undefined; readonly limit: number; readonly isManager: boolean },
): Promise<Edition[]> {
  const isShown = isManager ? undefined : notInArray(awardEditions.status, ['draft', 'cancelled'])
  return db.session.orm
    .select(columns)
    .from(awardEditions)
    .where(and(isShown, madeBefore(awardEditions, after)))
    .orderBy(desc(awardEditions.createdAt), desc(awardEditions.guid))
    .limit(limit + 1)
}

/** @throws Problem `award.id_taken` by its constraint */
export async function insertEdition(tx: Tx, settings: EditionSettings, createdBy: string, now: Date): Promise<Edition> {
  const [row] = await tx.session.orm
    .insert(awardEditions)
    .values({ ...settings, status: 'draft', createdBy, createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted edition was not returned')
  return row
}

export type EditionChanges = Partial<
  EditionSettings &
    Pick<
      Edition,
      'status' | 'runoffCategories' | 'runoffClosesAt' | 'exclusionsFixedAt' | 'cancelReason' | 'publishedAt'
    >
>

/**
 * Every write makes it one revision further, also of what belongs to it.
 * @throws Problem `award.id_taken` by its constraint
 */
export async function updateEdition(tx: Tx, guid: string, changes: EditionChanges, now: Date): Promise<Edition> {
  const { runoffCategories, ...rest } = changes
  const [row] = await tx.session.orm
    .update(awardEditions)
    .set({
      ...rest,
      ...(runoffCategories === undefined ? {} : { runoffCategories: runoffCategories && [...runoffCategories] }),
      revision: sql`${awardEditions.revision} + 1`,
      updatedAt: now,
    })
    .where(eq(awardEditions.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated edition was not returned')
  return row
}

export async function deleteEdition(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(awardEditions).where(eq(awardEditions.guid, guid))
}

/** What is done of one round: nobody waits long for the rest. */
const dueAtOnce = 50

const due = statement('awards.due', (orm) =>
  orm
    .select({ guid: awardEditions.guid })
    .from(awardEditions)
    .where(
      sql`case ${awardEditions.status}
        when 'draft' then ${awardEditions.nominationsOpenAt}
        when 'nominating' then ${awardEditions.nominationsCloseAt}
        when 'shortlisting' then ${awardEditions.votingOpensAt}
        when 'voting' then coalesce(${awardEditions.runoffClosesAt}, ${awardEditions.votingClosesAt})
        when 'counting' then ${awardEditions.publishAt}
        end <= clock_timestamp()`,
    )
    // Those that wait for their managers must not be in the way of those that have just fallen due.
    .orderBy(desc(awardEditions.updatedAt))
    .limit(dueAtOnce),
)

/** Editions whose next phase is due, by the clock of the database. There is one a year, or some. */
export async function listDue(db: Db): Promise<readonly string[]> {
  return (await due(db)).map(({ guid }) => guid)
}
