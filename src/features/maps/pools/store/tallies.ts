import { eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { mapVotes } from '../../suggestions/tables.ts'
import { poolMaps } from '../tables.ts'

export interface Tally {
  readonly up: number
  readonly neutral: number
  readonly down: number
}

const ofPool = statement('pools.tallies', (orm) => {
  const count = (value: number) =>
    sql<number>`count(*) filter (where ${mapVotes.value} = ${sql.raw(String(value))})::int`
  return orm
    .select({
      poolMapGuid: poolMaps.guid,
      up: count(1),
      neutral: count(0),
      down: count(-1),
      isVoter: sql<boolean>`bool_or(${mapVotes.userGuid} = ${sql.placeholder('userGuid')}::uuid)`,
    })
    .from(poolMaps)
    .innerJoin(mapVotes, eq(mapVotes.poolMapGuid, poolMaps.guid))
    .where(eq(poolMaps.poolGuid, sql.placeholder('poolGuid')))
    .groupBy(poolMaps.guid)
})

/** Returns the tallies of the maps of a pool that have votes, and whether the user voted. */
export async function listTallies(
  db: Db,
  poolGuid: string,
  userGuid: string,
): Promise<readonly (Tally & { readonly poolMapGuid: string; readonly isVoter: boolean })[]> {
  return ofPool(db, { poolGuid, userGuid })
}
