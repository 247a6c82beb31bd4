import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeAfter } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { poolComments as comments } from '../tables.ts'
import type { Comment, Target } from '../types.ts'

const columns = getTableColumns(comments)

function isOn(target: Target): SQL {
  return 'suggestionGuid' in target
    ? eq(comments.suggestionGuid, target.suggestionGuid)
    : eq(comments.poolMapGuid, target.poolMapGuid)
}

const byGuid = statement('pool_comments.by_guid', (orm) =>
  orm
    .select(columns)
    .from(comments)
    .where(eq(comments.guid, sql.placeholder('guid'))),
)

/** Also finds deleted comments. */
export async function findComment(db: Db, guid: string): Promise<Comment | undefined> {
  return (await byGuid(db, { guid }))[0]
}

export async function lockComment(tx: Tx, guid: string): Promise<Comment | undefined> {
  const [row] = await tx.session.orm.select(columns).from(comments).where(eq(comments.guid, guid)).for('no key update')
  return row
}

/** One page, oldest first, plus one row beyond `limit`. */
export async function listComments(
  db: Db,
  target: Target,
  { after, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<Comment[]> {
  return db.session.orm
    .select(columns)
    .from(comments)
    .where(and(isOn(target), madeAfter(comments, after)))
    .orderBy(asc(comments.createdAt), asc(comments.guid))
    .limit(limit + 1)
}

const counted = statement('pool_comments.counted', (orm) =>
  orm
    .select({ guid: sql<string>`${comments.suggestionGuid}`, count: sql<number>`count(*)::int` })
    .from(comments)
    .where(sql`${comments.suggestionGuid} = any(${sql.placeholder('guids')}::uuid[]) and ${comments.deletedAt} is null`)
    .groupBy(comments.suggestionGuid),
)

/**
 * Returns the number of comments by suggestion GUID, without deleted comments. Suggestions without comments are left
 * out.
 */
export async function countComments(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (guids.length === 0) return new Map()
  return new Map((await counted(db, { guids })).map(({ guid, count }) => [guid, count]))
}

/**
 * Locks the target, so that comments on it are inserted one after the other. The count stays correct, and a client that
 * reads on after the last comment it has seen misses none. Returns the number of comments and the time of the last one.
 */
export async function lockCommenting(
  tx: Tx,
  target: Target,
): Promise<{ readonly count: number; readonly last: Date | null }> {
  const guid = 'suggestionGuid' in target ? target.suggestionGuid : target.poolMapGuid
  await tx.session.orm.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('pool_comments ' || ${guid}::text, 0))`,
  )
  const [row] = await tx.session.orm
    .select({
      count: sql<number>`count(*)::int`,
      last: sql<Date | null>`max(${comments.createdAt})`.mapWith(comments.createdAt),
    })
    .from(comments)
    .where(isOn(target))
  return { count: row?.count ?? 0, last: row?.last ?? null }
}

export async function insertComment(
  tx: Tx,
  target: Target,
  comment: Pick<Comment, 'tournamentGuid' | 'authorGuid' | 'text' | 'replyToGuid' | 'createdAt'>,
): Promise<Comment> {
  const [row] = await tx.session.orm
    .insert(comments)
    .values({ ...target, ...comment })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted comment was not returned')
  return row
}

/** Call under `lockComment`. */
export async function updateComment(
  tx: Tx,
  guid: string,
  changes: Partial<Pick<Comment, 'text' | 'editedAt' | 'deletedAt'>>,
): Promise<Comment> {
  const [row] = await tx.session.orm.update(comments).set(changes).where(eq(comments.guid, guid)).returning(columns)
  if (row === undefined) throw new Error('an updated comment was not returned')
  return row
}
