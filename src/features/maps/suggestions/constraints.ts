import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownPool, unknownPoolMap } from '../pools/resolve.ts'

/** A map may be removed from its pool, or a pool deleted, just before a row that refers to it is saved. */
export const suggestionsConstraints: Constraints = {
  map_votes_pool_map_guid_pool_maps_guid_fk: unknownPoolMap,
  pool_comments_pool_map_guid_pool_maps_guid_fk: unknownPoolMap,
  suggestions_target_pool_guid_pools_guid_fk: unknownPool,
}
