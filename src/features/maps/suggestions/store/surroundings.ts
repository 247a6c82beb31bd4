import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { flairs, poolMaps, pools } from '../../pools/tables.ts'
import type { PoolStatus } from '../../pools/types.ts'
import { suggestions } from '../tables.ts'

/** What is read of other slices, in joins of their own and under weaker locks than theirs. */

const held = statement('suggestions.hold_pool', (orm) =>
  orm
    .select({ status: pools.status })
    .from(pools)
    .where(eq(pools.guid, sql.placeholder('guid')))
    .for('share'),
)

/** Keeps a pool from being published and written; many may at once. undefined where it is gone. */
export async function holdPool(tx: Tx, guid: string): Promise<PoolStatus | undefined> {
  return (await held(tx, { guid }))[0]?.status
}

/** Keeps what a suggestion is to name from being deleted. Before the suggestion is locked, as whoever deletes these does. */
export async function holdTargets(
  tx: Tx,
  { poolGuid, flairGuid }: { readonly poolGuid: string | null; readonly flairGuid: string | null },
): Promise<void> {
  const { orm } = tx.session
  if (poolGuid !== null)
    await orm.select({ guid: pools.guid }).from(pools).where(eq(pools.guid, poolGuid)).for('key share')
  if (flairGuid !== null) {
    await orm.select({ guid: flairs.guid }).from(flairs).where(eq(flairs.guid, flairGuid)).for('key share')
  }
}

const playing = statement('suggestions.playing_poolers', (orm) => {
  const tournament = sql`${sql.placeholder('tournamentGuid')}::uuid`
  const plays = sql`
    select from ${teams} t where t.tournament_guid = ${tournament} and t.status in ('registered', 'qualified')
      and (t.captain_guid = u.guid or exists (
        select from ${teamMembers} m where m.team_guid = t.guid and m.user_guid = u.guid))`
  const pools = sql`
    select from ${tournamentRoleHolders} h where h.tournament_guid = ${tournament} and h.user_guid = u.guid
      and h.role in ('role:admin', 'role:hpooler', 'role:pooler')`
  const organises = sql`
    select from ${tournaments} o where o.guid = ${tournament} and o.organiser_guid = u.guid`
  return orm
    .select({ guid: sql<string>`u.guid` })
    .from(sql`unnest(${sql.placeholder('userGuids')}::uuid[]) as u (guid)`)
    .where(sql`exists (${plays}) and (exists (${pools}) or exists (${organises}))`)
})

/** Who of these users holds a pooling role and plays in a registered team of the tournament. (pools: Who may do what) */
export async function listPlayingPoolers(
  db: Db,
  tournamentGuid: string,
  userGuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userGuids.length === 0) return new Set()
  const rows = await playing(db, { tournamentGuid, userGuids: [...new Set(userGuids)] })
  return new Set(rows.map(({ guid }) => guid))
}

const open = statement('suggestions.map_is_open', (orm) => {
  const map = sql`${sql.placeholder('mapGuid')}::uuid`
  const shown = sql`
    select from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid join ${tournaments} t on t.guid = p.tournament_guid
    where m.map_guid = ${map} and m.released_at is not null and p.status <> 'draft' and t.status <> 'draft'
      and (t.status <> 'cancelled' or t.approved_at is not null)`
  const own = sql`
    select from ${suggestions} s where s.map_guid = ${map} and s.suggested_by_guid = ${sql.placeholder('userGuid')}::uuid`
  return orm.select({ isOpen: sql<boolean>`exists (${shown}) or exists (${own})` }).from(sql`(values (1)) one`)
})

/** Whether somebody who is no pooler may know of a map: everybody sees it in some pool, or they have suggested it themselves. */
export async function isMapOpenTo(db: Db, userGuid: string, mapGuid: string): Promise<boolean> {
  return (await open(db, { userGuid, mapGuid }))[0]?.isOpen ?? false
}
