import type { Constraints } from '../../../infra/db/constraints.ts'
import { planInvalid } from './rules.ts'

/** A record that the plan names may be deleted just before the plan is saved. */
const gone = (noun: string) => () => planInvalid(`A ${noun} of the plan was deleted meanwhile; load the plan again.`)

export const plansConstraints: Constraints = {
  pool_plans_default_pool_guid_pools_guid_fk: gone('pool'),
  planned_pools_pool_guid_pools_guid_fk: gone('pool'),
  planned_pools_bracket_guid_brackets_guid_fk: gone('bracket'),
  planned_pools_match_guid_matches_guid_fk: gone('match'),
}
