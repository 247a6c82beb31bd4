import { sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db/database.ts'

/** A match of the tournament, in its present state. */
export async function findMatch(db: Db, tournament: string, match: string): Promise<{ status: string } | undefined> {
  const { rows } = await db.session.orm.execute<{ status: string }>(
    sql`select status from matches where guid = ${match}::uuid and tournament_guid = ${tournament}::uuid`,
  )
  return rows[0]
}

/** When a completed match came to its end, where that is not shown yet: by the last change that completed it. */
export async function findEnd(db: Db, match: string): Promise<Date | null> {
  const { rows } = await db.session.orm.execute<{ at: string | null }>(sql`
    with changes as (
      select at, coalesce(row ->> 'status', '') = 'completed' as ends from held_changes
      where relation = 'matches' and key = jsonb_build_object('guid', ${match}::uuid) and at is not null
    )
    select min(at) as at from changes
    where ends and at > coalesce((select max(at) from changes where not ends), '-infinity')`)
  const at = rows[0]?.at ?? null
  return at === null ? null : new Date(at)
}

/** GUIDs of the matches with changes that are shown when the horizon reaches an instant. */
export async function listWaitingMatches(db: Db, tournament: string, until: Date | null): Promise<string[]> {
  const { rows } = await db.session.orm.execute<{ guid: string }>(sql`
    select distinct key ->> 'guid' as guid from held_changes
    where tournament_guid = ${tournament}::uuid and relation = 'matches'
      and at <= coalesce(${until?.toISOString() ?? null}::timestamptz, 'infinity') order by 1`)
  return rows.map(({ guid }) => guid)
}
