import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { updates } from '../tables.ts'
import type { Content, Update } from '../types.ts'

const { authorGuid: _author, ...columns } = getTableColumns(updates)

const byGuid = statement('updates.by_guid', (orm) =>
  orm
    .select(columns)
    .from(updates)
    .where(eq(updates.guid, sql.placeholder('guid'))),
)

/** Finds an update in any tournament, even a deleted one, as a GUID is used only once. */
export async function findUpdate(db: Db, guid: string): Promise<Update | undefined> {
  return (await byGuid(db, { guid }))[0]
}

/** Locks the update for the rest of the transaction. */
export async function lockUpdate(tx: Tx, guid: string): Promise<Update | undefined> {
  const [row] = await tx.session.orm.select(columns).from(updates).where(eq(updates.guid, guid)).for('update')
  return row
}

const page = statement('updates.page', (orm) =>
  orm
    .select(columns)
    .from(updates)
    .where(
      and(
        eq(updates.tournamentGuid, sql.placeholder('tournamentGuid')),
        isNull(updates.deletedAt),
        sql`(${updates.createdAt}, ${updates.guid}) < (${sql.placeholder('madeAt')}::timestamptz, ${sql.placeholder('guid')}::uuid)`,
      ),
    )
    .orderBy(desc(updates.createdAt), desc(updates.guid))
    .limit(sql.placeholder('limit')),
)

const end: MakingPosition = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/** Lists the newest updates first, with one row beyond `limit`. */
export async function listUpdates(
  db: Db,
  tournamentGuid: string,
  { after = end, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<Update[]> {
  return page(db, { tournamentGuid, madeAt: after[0], guid: after[1], limit: limit + 1 })
}

/** The number of updates that the tournament has had, including deleted ones. */
export async function countMade(db: Db, tournamentGuid: string): Promise<number> {
  return db.session.orm.$count(updates, eq(updates.tournamentGuid, tournamentGuid))
}

export type NewUpdate = Content & Pick<Update, 'guid' | 'tournamentGuid' | 'publishedHash' | 'createdAt'>

/** Returns undefined if the GUID is taken. Of two concurrent inserts of one GUID, the second waits for the first. */
export async function insertUpdate(tx: Tx, update: NewUpdate, authorGuid: string): Promise<Update | undefined> {
  const [row] = await tx.session.orm
    .insert(updates)
    .values({ ...update, authorGuid })
    .onConflictDoNothing({ target: updates.guid })
    .returning(columns)
  return row
}

/** `updatedAt` grows with every edit, even within one millisecond, so that it identifies a state. */
export async function editUpdate(tx: Tx, guid: string, content: Content, now: Date): Promise<Update> {
  const previous = sql`coalesce(${updates.updatedAt}, ${updates.createdAt})`
  const later = sql`greatest(${now.toISOString()}::timestamptz, ${previous} + interval '1 millisecond')`
  const [row] = await tx.session.orm
    .update(updates)
    .set({ ...content, updatedAt: later })
    .where(eq(updates.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an edited update was not returned')
  return row
}

/** Deletes the texts of the update; its row stays. */
export async function deleteUpdate(tx: Tx, guid: string, now: Date): Promise<void> {
  await tx.session.orm
    .update(updates)
    .set({ title: '', content: '', changes: [], deletedAt: now })
    .where(and(eq(updates.guid, guid), isNull(updates.deletedAt)))
}
