import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { madeBefore } from '../../../../infra/db/making.ts'
import { corrections } from '../tables.ts'
import type { Correction } from '../types.ts'

export type NewCorrection = Omit<Correction, 'undoneAt'>

export async function insertCorrection(tx: Tx, correction: NewCorrection): Promise<void> {
  await tx.session.orm
    .insert(corrections)
    .values({ ...correction, before: [...correction.before], after: [...correction.after] })
}

/** Of one match, undone ones too. */
export async function countCorrections(db: Db, matchGuid: string): Promise<number> {
  return db.session.orm.$count(corrections, eq(corrections.matchGuid, matchGuid))
}

export async function findCorrection(db: Db, guid: string): Promise<Correction | undefined> {
  const [row] = await db.session.orm.select().from(corrections).where(eq(corrections.guid, guid))
  return row
}

export async function markUndone(tx: Tx, guid: string, now: Date): Promise<void> {
  await tx.session.orm.update(corrections).set({ undoneAt: now }).where(eq(corrections.guid, guid))
}

/** A correction as the list tells it. */
export interface ListedCorrection extends Omit<Correction, 'before' | 'after'> {
  /** Numbers of the matches that it altered. */
  readonly matches: readonly number[]
}

export type CorrectionPosition = readonly [createdAt: string, guid: string]

/** Newest first; one more than `limit`, where there are more. */
export async function listCorrections(
  db: Db,
  tournamentGuid: string,
  {
    matchGuid,
    after,
    limit,
  }: {
    readonly matchGuid?: string | undefined
    readonly after?: CorrectionPosition | undefined
    readonly limit: number
  },
): Promise<readonly ListedCorrection[]> {
  const { before: _, after: __, ...told } = getTableColumns(corrections)
  return db.session.orm
    .select({
      ...told,
      matches: sql<number[]>`jsonb_path_query_array(${corrections.after}, '$[*].match.number')`,
    })
    .from(corrections)
    .where(
      and(
        eq(corrections.tournamentGuid, tournamentGuid),
        matchGuid === undefined ? undefined : eq(corrections.matchGuid, matchGuid),
        madeBefore(corrections, after),
      ),
    )
    .orderBy(desc(corrections.createdAt), desc(corrections.guid))
    .limit(limit + 1)
}
