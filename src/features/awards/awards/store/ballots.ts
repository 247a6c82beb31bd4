import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { BallotCount } from '../../../../engine/awards/outcomes.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import {
  awardBallots,
  awardCategories,
  awardExclusions,
  awardNominees,
  awardRoll,
  awardVoters,
  awardVotes,
} from '../tables.ts'

/** Ballots, the roll, and counts of the sealed votes. */

const ofEdition = (editionGuid: string) =>
  sql`(select guid from ${awardCategories} where edition_guid = ${editionGuid})`

/** The condition of a valid vote: its voter was eligible, and managers did not exclude them. (A2, A7) */
const counts = (editionGuid: string) => sql`v.failures = '{}' and not exists (
  select from ${awardExclusions} x where x.edition_guid = ${editionGuid} and x.user_guid = v.user_guid)`

/**
 * Makes all ballots of an edition again from the sealed votes. Numbers and order of the rows are random, so that
 * neither shows which vote or earlier ballot a ballot comes from. `gen_random_uuid` uses the system's cryptographic
 * random source. (A6, A7)
 */
export async function remakeBallots(tx: Tx, editionGuid: string): Promise<void> {
  const { orm } = tx.session
  await orm.execute(sql`delete from ${awardBallots} where category_guid in ${ofEdition(editionGuid)}`)
  await orm.execute(sql`
    insert into ${awardBallots} (category_guid, round, number, nominee_guid)
    select category_guid, round, number, nominee_guid from (
      select v.category_guid, v.round, v.nominee_guid,
        row_number() over (partition by v.category_guid, v.round order by gen_random_uuid()) as number
      from ${awardVotes} v join ${awardNominees} n on n.guid = v.nominee_guid and n.declined_at is null
      where v.category_guid in ${ofEdition(editionGuid)} and ${counts(editionGuid)}
    ) drawn order by gen_random_uuid()`)
}

/** Adds the voters of these categories to the roll. It does not tell whether their votes count. (A6) */
export async function writeRoll(tx: Tx, categories: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${awardRoll} (category_guid, user_guid)
    select distinct category_guid, user_guid from ${awardVotes}
    where category_guid = any(${sql.param(categories)}::uuid[]) and user_guid is not null
    order by user_guid, category_guid
    on conflict do nothing`)
}

/** Deletes the ballots and the roll of an edition that will not be counted. */
export async function deleteBallots(tx: Tx, editionGuid: string): Promise<void> {
  const { orm } = tx.session
  const categories = orm
    .select({ guid: awardCategories.guid })
    .from(awardCategories)
    .where(eq(awardCategories.editionGuid, editionGuid))
  await orm.delete(awardBallots).where(inArray(awardBallots.categoryGuid, categories))
  await orm.delete(awardRoll).where(inArray(awardRoll.categoryGuid, categories))
}

/** The numbers of ballots, by category, nominee and round. */
export async function countBallots(db: Db, editionGuid: string): Promise<BallotCount[]> {
  return db.session.orm
    .select({
      category: awardBallots.categoryGuid,
      nominee: awardBallots.nomineeGuid,
      round: awardBallots.round,
      votes: sql<number>`count(*)::int`,
    })
    .from(awardBallots)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardBallots.categoryGuid))
    .where(eq(awardCategories.editionGuid, editionGuid))
    .groupBy(awardBallots.categoryGuid, awardBallots.nomineeGuid, awardBallots.round)
    .orderBy(asc(awardBallots.categoryGuid), asc(awardBallots.nomineeGuid), asc(awardBallots.round))
}

/** The numbers of ballots that the sealed votes would give now. (A11) */
export async function countVotes(db: Db, editionGuid: string): Promise<BallotCount[]> {
  const { rows } = await db.session.orm.execute<{ [Member in keyof BallotCount]: BallotCount[Member] }>(sql`
    select v.category_guid as category, v.nominee_guid as nominee, v.round, count(*)::int as votes
    from ${awardVotes} v join ${awardNominees} n on n.guid = v.nominee_guid and n.declined_at is null
    where v.category_guid in ${ofEdition(editionGuid)} and ${counts(editionGuid)}
    group by 1, 2, 3 order by 1, 2, 3`)
  return rows
}

/** The number of users with at least one vote that counts, deleted accounts included. (A10) */
export async function countCounted(db: Db, editionGuid: string): Promise<number> {
  const { rows } = await db.session.orm.execute<{ voters: number }>(sql`
    select count(distinct coalesce(v.user_guid, v.departed))::int as voters
    from ${awardVotes} v join ${awardNominees} n on n.guid = v.nominee_guid and n.declined_at is null
    where v.category_guid in ${ofEdition(editionGuid)} and ${counts(editionGuid)}`)
  return rows[0]?.voters ?? 0
}

/**
 * The numbers of votes that do not count, by reason; each vote once. The first failed check is the reason, else an
 * exclusion by managers, else the nominee's decline. (A10)
 */
export async function countExcluded(db: Db, editionGuid: string): Promise<Readonly<Record<string, number>>> {
  const { rows } = await db.session.orm.execute<{ reason: string; votes: number }>(sql`
    select reason, count(*)::int as votes from (
      select case
        when v.failures <> '{}' then v.failures[1]
        when exists (select from ${awardExclusions} x where x.edition_guid = ${editionGuid} and x.user_guid = v.user_guid)
          then 'manager'
        when n.declined_at is not null then 'nominee_declined'
      end as reason
      from ${awardVotes} v join ${awardNominees} n on n.guid = v.nominee_guid
      where v.category_guid in ${ofEdition(editionGuid)}
    ) judged where reason is not null group by reason order by reason`)
  return Object.fromEntries(rows.map(({ reason, votes }) => [reason, votes]))
}

export interface Rolled {
  readonly userGuid: string
  readonly username: string
  /** GUIDs of categories. */
  readonly categories: readonly string[]
}

/**
 * The users who have voted, ordered by GUID and starting after `after`; up to `limit` + 1. Their categories are empty
 * if they took every vote back.
 */
export async function listRoll(db: Db, editionGuid: string, after: string | null, limit: number): Promise<Rolled[]> {
  const { rows } = await db.session.orm.execute<{ [Member in keyof Rolled]: Rolled[Member] }>(sql`
    select v.user_guid as "userGuid", u.username, array(
      select r.category_guid from ${awardRoll} r join ${awardCategories} c on c.guid = r.category_guid
      where r.user_guid = v.user_guid and c.edition_guid = ${editionGuid} order by c."order", c.guid) as categories
    from ${awardVoters} v join ${users} u on u.guid = v.user_guid
    where v.edition_guid = ${editionGuid} ${after === null ? sql`` : sql`and v.user_guid > ${after}`}
    order by v.user_guid limit ${limit + 1}`)
  return rows
}

/** The rounds in which the user has voted, by the sealed votes. */
export async function listRoundsOf(db: Db, editionGuid: string, userGuid: string): Promise<readonly number[]> {
  const rows = await db.session.orm
    .selectDistinct({ round: awardVotes.round })
    .from(awardVotes)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardVotes.categoryGuid))
    .where(and(eq(awardCategories.editionGuid, editionGuid), eq(awardVotes.userGuid, userGuid)))
  return rows.map(({ round }) => round)
}
