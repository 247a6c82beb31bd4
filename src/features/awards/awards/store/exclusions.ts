import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { awardEditions, awardExclusions } from '../tables.ts'

export type Exclusion = typeof awardExclusions.$inferSelect

const columns = getTableColumns(awardExclusions)

/** In the order in which they were made; up to `limit` + 1. */
export async function listExclusions(
  db: Db,
  editionGuid: string,
  { after, limit }: { readonly after: readonly [at: string, userGuid: string] | undefined; readonly limit: number },
): Promise<Exclusion[]> {
  return db.session.orm
    .select(columns)
    .from(awardExclusions)
    .where(
      and(
        eq(awardExclusions.editionGuid, editionGuid),
        after === undefined
          ? undefined
          : sql`(${awardExclusions.createdAt}, ${awardExclusions.userGuid}) > (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(asc(awardExclusions.createdAt), asc(awardExclusions.userGuid))
    .limit(limit + 1)
}

const isOf = (editionGuid: string, userGuid: string) =>
  and(eq(awardExclusions.editionGuid, editionGuid), eq(awardExclusions.userGuid, userGuid))

/** Returns undefined if the user is excluded already. */
export async function insertExclusion(
  tx: Tx,
  exclusion: Pick<Exclusion, 'editionGuid' | 'userGuid' | 'reason' | 'excludedBy' | 'createdAt'>,
): Promise<Exclusion | undefined> {
  const [row] = await tx.session.orm.insert(awardExclusions).values(exclusion).onConflictDoNothing().returning()
  return row
}

/** Returns whether there was an exclusion. */
export async function deleteExclusion(tx: Tx, editionGuid: string, userGuid: string): Promise<boolean> {
  const { rowCount } = await tx.session.orm.delete(awardExclusions).where(isOf(editionGuid, userGuid))
  return rowCount === 1
}

/** Saves or replaces an excluded user's answer. Returns undefined if the user is not excluded. */
export async function writeAnswer(
  tx: Tx,
  editionGuid: string,
  userGuid: string,
  answer: string,
  now: Date,
): Promise<Exclusion | undefined> {
  const [row] = await tx.session.orm
    .update(awardExclusions)
    .set({ answer, answeredAt: now })
    .where(isOf(editionGuid, userGuid))
    .returning()
  return row
}

/**
 * Fixes the exclusions, once. The edition gets no new revision and no event is emitted, because these would tell
 * everybody that a step was refused, and so a fact about the counts. (A4)
 */
export async function fixExclusions(tx: Tx, { guid }: { readonly guid: string }, now: Date): Promise<void> {
  await tx.session.orm
    .update(awardEditions)
    .set({ exclusionsFixedAt: now })
    .where(and(eq(awardEditions.guid, guid), isNull(awardEditions.exclusionsFixedAt)))
}
