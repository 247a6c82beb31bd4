import type { Tx } from '../../../../infra/db/database.ts'
import { enterMaps } from '../../catalogue/commands.ts'
import { findMap } from '../../catalogue/store.ts'
import type { CatalogueMap } from '../../catalogue/types.ts'
import { type NamedMap, unknownMap } from '../prepare.ts'
import { isMapKnownTo } from '../store/known-maps.ts'

/**
 * Returns the map that a request names. If it was looked up in the catalogue, it is inserted or updated. If it is given
 * by its GUID, it must be visible to everybody, or named before by this tournament's poolers; maps in other
 * tournaments' drafts count as unknown.
 * @throws Problem `map.unknown`
 */
export async function enterMap(tx: Tx, tournamentGuid: string, named: NamedMap, now: Date): Promise<CatalogueMap> {
  if ('identity' in named) {
    const [map] = await enterMaps(tx, [named], now)
    if (map === undefined) throw new Error('an entered map was not returned')
    return map
  }
  const map = await findMap(tx, named.mapGuid)
  if (map === undefined || !(await isMapKnownTo(tx, tournamentGuid, map.guid))) throw unknownMap()
  return map
}
