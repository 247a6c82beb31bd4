import type { Db } from '../../../../infra/db/database.ts'
import type { CatalogueMap } from '../../catalogue/types.ts'

/** A pool in which a map, or another difficulty or version of its song, stands already. */
export interface UsedBefore {
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
  readonly pool: { readonly guid: string; readonly name: string }
  readonly publishedAt: Date | null
  readonly identity: 'exact' | 'song'
}

export async function listUsedBefore(
  _db: Db,
  _asked: {
    readonly tournamentGuid: string
    readonly maps: readonly (Pick<CatalogueMap, 'hash' | 'key'> & { readonly mapGuid: string })[]
    readonly now: Date
  },
): Promise<ReadonlyMap<string, readonly UsedBefore[]>> {
  return new Map()
}
