import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Match } from '../../../engine/types.ts'
import { madeBefore } from '../../../infra/db/creation-order.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { findShownInstant } from '../../../infra/delay/store.ts'
import { corrections } from './tables.ts'
import type { Correction, ResultCorrection, ReturnCorrection } from './types.ts'

export type NewCorrection = Omit<ResultCorrection, 'undoneAt'> | Omit<ReturnCorrection, 'undoneAt'>

export async function insertCorrection(tx: Tx, correction: NewCorrection): Promise<void> {
  await tx.session.orm
    .insert(corrections)
    .values({ ...correction, before: [...correction.before], after: [...correction.after] })
}

/** The number of withdrawals of a team that were taken back, including undone returns. */
export async function countReturns(db: Db, teamGuid: string): Promise<number> {
  return db.session.orm.$count(corrections, eq(corrections.teamGuid, teamGuid))
}

/** The number of corrections of a match, including undone ones. */
export async function countCorrections(db: Db, matchGuid: string): Promise<number> {
  return db.session.orm.$count(corrections, eq(corrections.matchGuid, matchGuid))
}

export async function findCorrection(db: Db, guid: string): Promise<Correction | undefined> {
  const [row] = await db.session.orm.select().from(corrections).where(eq(corrections.guid, guid))
  // A check of the table ensures that a row has the columns of exactly one kind of correction.
  return row as Correction | undefined
}

export async function markUndone(tx: Tx, guid: string, now: Date): Promise<void> {
  await tx.session.orm.update(corrections).set({ undoneAt: now }).where(eq(corrections.guid, guid))
}

export async function deleteCorrections(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.delete(corrections).where(eq(corrections.tournamentGuid, tournamentGuid))
}

/** A correction as the list returns it. */
export interface ListedCorrection {
  readonly guid: string
  readonly bracketGuid: string | null
  readonly matchGuid: string | null
  readonly teamGuid: string | null
  readonly actorGuid: string
  readonly reason: string | null
  readonly revision: number | null
  readonly createdAt: Date
  readonly undoneAt: Date | null
  /** Numbers of the altered matches. */
  readonly matches: readonly number[]
}

export type CorrectionPosition = readonly [createdAt: string, guid: string]

/** Newest first; one more than `limit` if there are more. */
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
  const { before: _, after: __, returned: ___, ...columns } = getTableColumns(corrections)
  return db.session.orm
    .select({
      ...columns,
      matches: sql<number[]>`jsonb_path_query_array(${corrections.after}, '$[*].match.number')
        || coalesce(jsonb_path_query_array(${corrections.returned}, '$.brackets[*].after[*].match.number'), '[]')`,
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

/** What a correction made of the match that it corrected. */
export interface CorrectedMatch extends Pick<ListedCorrection, 'guid' | 'createdAt' | 'undoneAt'> {
  readonly before: Pick<Match, 'status' | 'outcome' | 'sides'>
  readonly after: Pick<Match, 'status' | 'outcome' | 'sides'>
}

/**
 * The corrections that changed a match itself, the newest first, as far as the connection shows them. There are at most
 * `maxCorrections`. (RT41)
 */
export async function listCorrectionsOfMatch(
  db: Db,
  { guid, number }: { readonly guid: string; readonly number: number },
): Promise<readonly CorrectedMatch[]> {
  const own = (kept: typeof corrections.before | typeof corrections.after) =>
    sql<Match | null>`jsonb_path_query_first(${kept}, '$[*].match ? (@.number == $number)', jsonb_build_object('number', ${number}::int))`
  const rows = await db.session.orm
    .select({
      guid: corrections.guid,
      before: own(corrections.before),
      after: own(corrections.after),
      createdAt: corrections.createdAt,
      undoneAt: corrections.undoneAt,
    })
    .from(corrections)
    .where(eq(corrections.matchGuid, guid))
    .orderBy(desc(corrections.createdAt), desc(corrections.guid))
  // A correction only ever gains the time of its undoing, so no earlier versions are kept of it.
  const instant = await findShownInstant(db)
  const isShown = (date: Date) => instant === null || date <= instant
  return rows.flatMap(({ before, after, undoneAt, ...row }) =>
    before === null || after === null || !isShown(row.createdAt)
      ? []
      : [{ ...row, before, after, undoneAt: undoneAt !== null && isShown(undoneAt) ? undoneAt : null }],
  )
}

/** Corrections by a user. They stay after the account is deleted, because they explain results. */
export const resultsPersonalData = declarePersonalData({
  sections: {
    corrections: rowsOf(corrections, 'actorGuid', {
      shows: ['guid', 'tournamentGuid', 'matchGuid', 'teamGuid', 'reason', 'createdAt', 'undoneAt'],
      order: ['createdAt', asc(corrections.guid)],
    }),
  },
})
