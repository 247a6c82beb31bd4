import { and, asc, desc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../../core/ids.ts'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import type { EditionSettings } from '../rules/settings.ts'
import { awardCategories, awardEditions } from '../tables.ts'
import type { Category, Edition } from '../types.ts'

const { createdBy: _maker, ...columns } = getTableColumns(awardEditions)
export const editionColumns = columns
const categoryColumns = getTableColumns(awardCategories)

/** Finds an edition by GUID, or by id in any case. */
export async function findEdition(db: Db, name: string): Promise<Edition | undefined> {
  const named = parseIdentifier(name)
  if (named === null) return undefined
  const isNamed = 'guid' in named ? eq(awardEditions.guid, named.guid) : sql`lower(${awardEditions.id}) = ${named.id}`
  const [edition] = await db.session.orm.select(columns).from(awardEditions).where(isNamed)
  return edition
}

/**
 * Locks an edition in share mode until the transaction ends: its status and dates cannot change, and votes do not block
 * each other.
 */
export async function lockEditionForShare(tx: Tx, guid: string): Promise<Edition | undefined> {
  const [edition] = await tx.session.orm
    .select(columns)
    .from(awardEditions)
    .where(eq(awardEditions.guid, guid))
    .for('share')
  return edition
}

/**
 * The key of an advisory lock for which votes and closings queue. With row locks alone, new votes would share the row
 * without a break, and the closing would never get it.
 */
const queue = (guid: string) => sql`hashtextextended(${`award ${guid}`}, 0)`

/** The same for a vote or a nomination, which queues behind a transaction that waits to close the voting. */
export async function lockVotingForShare(tx: Tx, guid: string): Promise<Edition | undefined> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock_shared(${queue(guid)})`)
  return lockEditionForShare(tx, guid)
}

/** Locks an edition against votes and changes until the transaction ends. */
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

/** The categories of an edition, in their order. */
export async function listCategories(db: Db, editionGuid: string): Promise<Category[]> {
  return db.session.orm
    .select(categoryColumns)
    .from(awardCategories)
    .where(eq(awardCategories.editionGuid, editionGuid))
    .orderBy(asc(awardCategories.order), asc(awardCategories.guid))
}

/** Newest first; up to `limit` + 1. */
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
 * Updates an edition and increases its revision, also for changes of records that belong to it.
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

/** The maximum number of editions in one round of due work. The rest follows in the next round. */
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
    // Editions that wait for their managers come last, so that they do not block newly due ones.
    .orderBy(desc(awardEditions.updatedAt))
    .limit(dueAtOnce),
)

/** GUIDs of the editions whose next phase is due, by the database clock. There are only a few editions a year. */
export async function listDue(db: Db): Promise<readonly string[]> {
  return (await due(db)).map(({ guid }) => guid)
}
