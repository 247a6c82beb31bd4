import { Type } from 'typebox'
import { command, query, tournamentPath } from '../../../../core/operation.ts'
import { headPoolers, poolers } from '../../pools/policy.ts'
import { PlanBody } from '../bodies.ts'
import { replacePlan } from '../commands/plan.ts'
import { planOf } from '../rules/plan.ts'
import { findPlan } from '../store.ts'
import { PlanView, planView } from '../views.ts'

const planPath = `${tournamentPath}/pool-plan` as const

const read = query({
  name: 'plans.read',
  method: 'GET',
  path: planPath,
  scope: 'rest:read',
  allow: poolers,
  summary: 'Which pools the matches of a tournament use.',
  description:
    'A match uses what is planned for itself, else for its round, else for its bracket, else the default. Drafts may be named; everybody else learns of a pool in the reads of matches, once it is published with all its maps.',
  reply: { 200: PlanView },
  run: async ({ db, tournament }) => {
    const plan = await findPlan(db, tournament.guid)
    return planView(planOf(plan.revision, plan))
  },
})

const replace = command({
  name: 'plans.replace',
  method: 'PUT',
  path: planPath,
  scope: 'rest:write',
  allow: headPoolers,
  summary: 'Say which pools the matches of a tournament use.',
  description:
    'The whole plan: what is not named has none of its own any more. Rounds are named as in `bestOfByRound`. A plan that was made for an older `revision` is refused, with the plan as it is.',
  body: PlanBody,
  reply: { 200: PlanView },
  refusals: { 409: Type.Object({ message: Type.String(), plan: Type.Optional(PlanView) }) },
  problems: { 'pool_plan.invalid': 400, 'pool_plan.stale': 409, 'tournament.cancelled': 409 },
  run: async ({ tx, actor, tournament, body }) => planView(await replacePlan(tx, actor, tournament.guid, body)),
})

export const planOperations = [read, replace]
