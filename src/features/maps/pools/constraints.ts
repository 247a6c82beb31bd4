import { conflict, invalid } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'

export const poolsConstraints: Constraints = {
  pools_name: () => conflict('pool.name_taken', 'Another pool of the tournament has this name; choose another one.'),
  pools_one_qualifier: () =>
    conflict('pool.qualifier_exists', 'The tournament has a qualifier pool already; archive that one first.'),
  // The flair may be deleted just before a map gets it.
  pool_maps_flair_guid_flairs_guid_fk: () =>
    invalid('flair.unknown', 'The flair was taken away; load the flairs again.'),
  pool_maps_once: () => conflict('pool.map_twice', 'The map stands in this pool already.'),
}
