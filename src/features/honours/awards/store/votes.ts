import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { awardCategories, awardEditions, awardVoters, awardVotes } from '../tables.ts'

/** Votes, before they are counted. Nothing but this table joins a user and a choice. (A1, A5) */

interface Choice {
  readonly categoryGuid: string
  readonly round: 1 | 2
}

/** GUIDs of users who voted in a category in this round, those behind `after` first. */
export async function listVotersIn(
  db: Db,
  { categoryGuid, round }: Choice,
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

/** Counts anew, in every edition that is voted in, who has voted. (A4) */
export async function writeTurnouts(tx: Tx, now: Date): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${awardEditions} e
    set turnout = (select count(*) from ${awardVoters} v where v.edition_guid = e.guid), turnout_at = ${now.toISOString()}
    where e.status = 'voting'`)
}

/** So that no statement takes long, however many there are. */
const deletedAtOnce = 20_000

/** Of all rounds; who chose what is known to nobody from then on. */
export async function deleteVotes(tx: Tx, editionGuid: string): Promise<void> {
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce; ) {
    const { rowCount } = await tx.session.orm.execute(sql`
      delete from ${awardVotes} where guid in (
        select v.guid from ${awardVotes} v join ${awardCategories} c on c.guid = v.category_guid
        where c.edition_guid = ${editionGuid} limit ${deletedAtOnce})`)
    deleted = rowCount ?? 0
  }
}
