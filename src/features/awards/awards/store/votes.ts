import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { awardCategories, awardEditions, awardNominees, awardRoll, awardVoters, awardVotes } from '../tables.ts'
import type { Failure } from '../types.ts'

/** Votes before they are counted. Only this table contains both a user and their choice. (A1, A5) */

interface Choice {
  readonly categoryGuid: string
  readonly round: 1 | 2
  readonly userGuid: string
  readonly nomineeGuid: string
}

/** Inserts or replaces the user's vote. The earlier choice is kept nowhere. (A1) */
export async function putVote(tx: Tx, choice: Choice, now: Date): Promise<void> {
  await tx.session.orm
    .insert(awardVotes)
    .values({ ...choice, castAt: now })
    .onConflictDoUpdate({
      target: [awardVotes.categoryGuid, awardVotes.round, awardVotes.userGuid],
      set: { nomineeGuid: choice.nomineeGuid, castAt: now, changes: sql`${awardVotes.changes} + 1` },
    })
}

export async function deleteVote(
  tx: Tx,
  { categoryGuid, round, userGuid }: Omit<Choice, 'nomineeGuid'>,
): Promise<void> {
  await tx.session.orm
    .delete(awardVotes)
    .where(
      and(eq(awardVotes.categoryGuid, categoryGuid), eq(awardVotes.round, round), eq(awardVotes.userGuid, userGuid)),
    )
}

/** Returns whether it is the user's first vote in the edition. (A5) */
export async function putVoter(tx: Tx, editionGuid: string, userGuid: string): Promise<boolean> {
  const { rowCount } = await tx.session.orm.insert(awardVoters).values({ editionGuid, userGuid }).onConflictDoNothing()
  return rowCount === 1
}

export interface OwnVote {
  readonly categoryGuid: string
  readonly round: number
  readonly nomineeGuid: string
  readonly castAt: Date
  /** When the nominee declined; null if it has not. */
  readonly declinedAt: Date | null
}

/** A user's votes in an edition, in the order of the categories, as long as they are stored. */
export async function listOwnVotes(db: Db, editionGuid: string, userGuid: string): Promise<OwnVote[]> {
  return db.session.orm
    .select({
      categoryGuid: awardVotes.categoryGuid,
      round: awardVotes.round,
      nomineeGuid: awardVotes.nomineeGuid,
      castAt: awardVotes.castAt,
      declinedAt: awardNominees.declinedAt,
    })
    .from(awardVotes)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardVotes.categoryGuid))
    .innerJoin(awardNominees, eq(awardNominees.guid, awardVotes.nomineeGuid))
    .where(and(eq(awardCategories.editionGuid, editionGuid), eq(awardVotes.userGuid, userGuid)))
    .orderBy(awardCategories.order, awardCategories.guid, awardVotes.round)
}

/** GUIDs of the categories of an edition for which the user is on the roll, in their order. */
export async function listRolled(db: Db, editionGuid: string, userGuid: string): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: awardCategories.guid })
    .from(awardRoll)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardRoll.categoryGuid))
    .where(and(eq(awardCategories.editionGuid, editionGuid), eq(awardRoll.userGuid, userGuid)))
    .orderBy(awardCategories.order, awardCategories.guid)
  return rows.map(({ guid }) => guid)
}

/** GUIDs of users who voted in a category in this round, starting after `after`. */
export async function listVotersIn(
  db: Db,
  { categoryGuid, round }: Pick<Choice, 'categoryGuid' | 'round'>,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: sql<string>`${awardVotes.userGuid}` })
    .from(awardVotes)
    .where(
      and(
        eq(awardVotes.categoryGuid, categoryGuid),
        eq(awardVotes.round, round),
        sql`${awardVotes.userGuid} is not null`,
        after === null ? undefined : sql`${awardVotes.userGuid} > ${after}`,
      ),
    )
    .orderBy(awardVotes.userGuid)
    .limit(limit)
  return rows.map(({ guid }) => guid)
}

/** GUIDs of users who have ever voted in an edition, starting after `after`. */
export async function listVoters(db: Db, editionGuid: string, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: awardVoters.userGuid })
    .from(awardVoters)
    .where(
      and(
        eq(awardVoters.editionGuid, editionGuid),
        after === null ? undefined : sql`${awardVoters.userGuid} > ${after}`,
      ),
    )
    .orderBy(awardVoters.userGuid)
    .limit(limit)
  return rows.map(({ guid }) => guid)
}

/** Saves the failed checks of the voters of a round. Votes of users without failures count. (A2) */
export async function writeFailures(
  tx: Tx,
  { categories, round }: { readonly categories: readonly string[]; readonly round: 1 | 2 },
  judged: readonly { readonly userGuid: string; readonly failures: readonly Failure[] }[],
): Promise<void> {
  const rows = judged.map(({ userGuid, failures }) => ({ user_guid: userGuid, failures }))
  await tx.session.orm.execute(sql`
    update ${awardVotes} v set failures = array(select jsonb_array_elements_text(j.failures))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j (user_guid uuid, failures jsonb)
    where v.user_guid = j.user_guid and v.category_guid = any(${sql.param(categories)}::uuid[]) and v.round = ${round}`)
}

/** The number of users who have a vote; users who took all votes back do not count. (D80) */
const voters = (edition: SQL) => sql`(select count(distinct coalesce(v.user_guid, v.departed))::int
  from ${awardVotes} v join ${awardCategories} c on c.guid = v.category_guid where c.edition_guid = ${edition})`

export async function countVoters(db: Db, editionGuid: string): Promise<number> {
  const { rows } = await db.session.orm.execute<{ voters: number }>(
    sql`select ${voters(sql`${editionGuid}::uuid`)} as voters`,
  )
  return rows[0]?.voters ?? 0
}

/** Counts the users with a vote again, in every edition with open voting. (A4) */
export async function writeTurnouts(tx: Tx, now: Date): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${awardEditions} e
    set turnout = ${voters(sql`e.guid`)}, turnout_at = ${now.toISOString()}
    where e.status = 'voting'`)
}

/** GUIDs of the editions whose sealed votes are old enough to be deleted. (A6) */
export async function listToUnseal(db: Db, publishedBy: Date): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: awardEditions.guid })
    .from(awardEditions)
    .where(
      sql`${awardEditions.status} = 'published' and ${awardEditions.votesDeletedAt} is null
        and ${awardEditions.publishedAt} <= ${publishedBy.toISOString()}`,
    )
    .orderBy(awardEditions.guid)
  return rows.map(({ guid }) => guid)
}

export async function writeVotesDeleted(tx: Tx, editionGuid: string, now: Date): Promise<void> {
  await tx.session.orm.update(awardEditions).set({ votesDeletedAt: now }).where(eq(awardEditions.guid, editionGuid))
}

/** The maximum number of rows that one statement deletes, so that none takes long. */
const deletedAtOnce = 20_000

/** Deletes the votes of all rounds. From then on nobody can find out who chose which nominee. */
export async function deleteVotes(tx: Tx, editionGuid: string): Promise<void> {
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce; ) {
    const { rowCount } = await tx.session.orm.execute(sql`
      delete from ${awardVotes} where guid in (
        select v.guid from ${awardVotes} v join ${awardCategories} c on c.guid = v.category_guid
        where c.edition_guid = ${editionGuid} limit ${deletedAtOnce})`)
    deleted = rowCount ?? 0
  }
}
