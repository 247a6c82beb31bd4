import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { command, query, tournamentPath } from '../../../../core/operation.ts'
import { PlanBody } from '../bodies/plan.ts'
import { replacePlan } from '../commands.ts'
import { flowWriters } from '../policy.ts'
import { planOf } from '../rules.ts'
import { findPlan } from '../store.ts'
import { PlanView, planView } from '../views.ts'

const planPath = `${tournamentPath}/flow-plan` as const

const read = query({
  name: 'flowPlans.read',
  method: 'GET',
  path: planPath,
  scope: 'public',
  allow: anyone,
  summary: 'Which flows the matches of a tournament are played by.',
  description:
    'A match is played by what is planned for itself, else for its round, else for its bracket, else by the default: a flow of the tournament by its GUID, or a preset by its name.',
  reply: { 200: PlanView },
  audience: everybody,
  live: { sends: ['flow_plan.updated'] },
  run: async ({ db, tournament, depends }) => {
    depends(tournament.guid)
    const plan = await findPlan(db, tournament.guid)
    return planView(planOf(plan.revision, plan))
  },
})

const replace = command({
  name: 'flowPlans.replace',
  method: 'PUT',
  path: planPath,
  scope: 'rest:write',
  allow: flowWriters,
  inRehearsals: true,
  summary: 'Say by which flows the matches of a tournament are played.',
  description:
    'The whole plan: what is not named has none of its own any more. Rounds are named as in `bestOfByRound`; flows are for two seats, and what depends on a match and its pool is judged when it begins. A plan that was made for an older `revision` is refused, with the plan as it is.',
  body: PlanBody,
  reply: { 200: PlanView },
  refusals: { 409: Type.Object({ message: Type.String(), plan: Type.Optional(PlanView) }) },
  problems: { 'flow_plan.invalid': 400, 'flow_plan.stale': 409, 'tournament.cancelled': 409 },
  run: async ({ tx, actor, tournament, body }) => planView(await replacePlan(tx, actor, tournament.guid, body)),
})

export const planOperations = [read, replace]
