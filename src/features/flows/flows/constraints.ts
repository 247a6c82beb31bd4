import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'
import { planInvalid } from './rules.ts'

/** A flow, bracket or match of the plan may be deleted just before the plan is saved. */
const gone = (noun: string) => () => planInvalid(`A ${noun} of the plan was deleted meanwhile; load the plan again.`)

const planned = () => conflict('flow.planned', 'The plan names the flow; plan another one first.')

export const flowsConstraints: Constraints = {
  flow_plans_default_flow_guid_flows_guid_fk: planned,
  planned_flows_flow_guid_flows_guid_fk: planned,
  planned_flows_bracket_guid_brackets_guid_fk: gone('bracket'),
  planned_flows_match_guid_matches_guid_fk: gone('match'),
}
