import { asc, eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'

/** What tells whether a pool and the qualifier have the same maps. */
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

/** The maps of the tournament's qualifier, in their order; none where it has no qualifier. */
export async function listQualifierMaps(db: Db, tournamentGuid: string): Promise<readonly WeighedMap[]> {
  return ofTournament(db, { tournamentGuid })
}
