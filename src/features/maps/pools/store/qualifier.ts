import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { poolMaps, pools, withdrawnMaps } from '../tables.ts'

/** The data by which the maps of a pool and of the qualifier are compared. */
export interface WeighedMap {
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: string
  readonly weight: number
}

const ofTournament = statement('pools.qualifier_maps', (orm) =>
  orm
    .select({
      hash: qualifierMaps.hash,
      characteristic: qualifierMaps.characteristic,
      difficulty: qualifierMaps.difficulty,
      weight: qualifierMaps.weight,
    })
    .from(qualifiers)
    .innerJoin(qualifierMaps, eq(qualifierMaps.qualifierGuid, qualifiers.guid))
    .where(eq(qualifiers.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(qualifierMaps.order), asc(qualifierMaps.guid)),
)

/** Returns the maps of the tournament's qualifier, in order; empty without a qualifier. */
export async function listQualifierMaps(db: Db, tournamentGuid: string): Promise<readonly WeighedMap[]> {
  return ofTournament(db, { tournamentGuid })
}

/**
 * Call before pool maps are deleted. Maps that only poolers could see stay hidden in a qualifier that has taken them.
 */
export async function withdrawMaps(tx: Tx, which: SQL): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${withdrawnMaps} (guid)
    select m.guid from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid
    where ${which} and (p.status = 'draft' or m.released_at is null)
      and exists (select from ${qualifierMaps} q where q.pool_map_guid = m.guid)
    on conflict do nothing`)
}
