import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { listings } from '../../../tournaments/tournaments/tables.ts'
import { awardCategories, awardRoll } from '../tables.ts'

/**
 * Groups of voters, in which managers look for false accounts. They come from the roll, which does not contain choices.
 * (A7)
 */

const voters = (editionGuid: string) => sql`(select distinct r.user_guid as guid from ${awardRoll} r
  join ${awardCategories} c on c.guid = r.category_guid where c.edition_guid = ${editionGuid})`

export interface OfMonth {
  /** Such as `2026-03`; null for voters without a verified link. */
  readonly month: string | null
  readonly voters: number
}

const month = (at: ReturnType<typeof sql>) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM')`

export async function countByJoining(db: Db, editionGuid: string): Promise<OfMonth[]> {
  const { rows } = await db.session.orm.execute<{ [Member in keyof OfMonth]: OfMonth[Member] }>(sql`
    select ${month(sql`u.created_at`)} as month, count(*)::int as voters
    from ${voters(editionGuid)} v join ${users} u on u.guid = v.guid group by 1 order by 1`)
  return rows
}

/** Counts voters by the month of their first verified link to a ranking platform. */
export async function countByLinking(db: Db, editionGuid: string): Promise<OfMonth[]> {
  const { rows } = await db.session.orm.execute<{ [Member in keyof OfMonth]: OfMonth[Member] }>(sql`
    select ${month(sql`(select min(i.verified_at) from ${identities} i
      where i.user_guid = v.guid and i.platform in ('ranking-a', 'ranking-b'))`)} as month, count(*)::int as voters
    from ${voters(editionGuid)} v group by 1 order by 1 nulls last`)
  return rows
}

export async function countByPlayed(
  db: Db,
  editionGuid: string,
): Promise<{ readonly tournamentsPlayed: number; readonly voters: number }[]> {
  const { rows } = await db.session.orm.execute<{ tournamentsPlayed: number; voters: number }>(sql`
    select (select count(*)::int from ${appearances} a where a.user_guid = v.guid and exists (
      select from ${listings} l where l.tournament_guid = a.tournament_guid offset 0)) as "tournamentsPlayed",
      count(*)::int as voters
    from ${voters(editionGuid)} v group by 1 order by 1`)
  return rows
}

export interface Batcher {
  readonly at: Date
  readonly voters: number
  /** GUIDs of the first users of the group. */
  readonly users: readonly string[]
}

/** The maximum numbers of groups and of users in one. Nobody could review more. */
const maxGroups = 100
const maxUsers = 100

/** Groups of five or more, the largest first. */
async function listTogether(db: Db, editionGuid: string, at: ReturnType<typeof sql>): Promise<Batcher[]> {
  const { rows } = await db.session.orm.execute<{ at: string; voters: number; users: string[] }>(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, count(*)::int as voters,
      (array_agg(guid order by guid))[1:${sql.raw(String(maxUsers))}] as users
    from (select u.guid, ${at} as at from ${voters(editionGuid)} v join ${users} u on u.guid = v.guid) shared
    where at is not null group by shared.at having count(*) >= 5 order by 2 desc, 1 limit ${maxGroups}`)
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}

/** Groups of users whose accounts were created in the same hour. */
export async function listByHour(db: Db, editionGuid: string): Promise<Batcher[]> {
  return listTogether(db, editionGuid, sql`date_trunc('hour', u.created_at, 'UTC')`)
}

/**
 * Groups of users whose chat accounts were created on the same day. All but the last 22 bits of a chat ID are the
 * milliseconds since 2015. Ranking platforms do not say when accounts were created.
 */
export async function listByChatDay(db: Db, editionGuid: string): Promise<Batcher[]> {
  return listTogether(
    db,
    editionGuid,
    sql`case when u.chat_platform_id ~ '^[0-9]{15,20}$' then date_trunc('day', to_timestamp(
      (floor(u.chat_platform_id::numeric / 4194304) + 1420070400000)::float8 / 1000), 'UTC') end`,
  )
}
