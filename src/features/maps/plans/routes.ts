import { Type } from 'typebox'
import { command, query, tournamentPath } from '../../../core/operation.ts'
import { statusAt } from '../../brackets/qualifiers/rules/status.ts'
import { qualifierView } from '../../brackets/qualifiers/views/qualifier.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'
import { headPoolers, poolers } from '../pools/policy.ts'
import { poolPath } from '../pools/routes/pools.ts'
import { PlanBody, TakeMapsBody } from './bodies.ts'
import { fillQualifier, replacePlan } from './commands.ts'
import { planOf } from './rules.ts'
import { findPlan } from './store.ts'
import { mapReference, PlanView, planView, TakenMapsView } from './views.ts'

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
  inRehearsals: true,
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

const fill = command({
  name: 'plans.fillQualifier',
  method: 'POST',
  path: `${poolPath}/qualifier`,
  scope: 'rest:write',
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Make the maps of a pool those of the qualifier, in their order.',
  description:
    'Maps that stay keep their GUIDs, and those that were played stay what they are. The pool may be a draft while the qualifier is one; nobody but poolers sees its maps there before the pool shows them. What is done to the pool later reaches the qualifier when this is called again.',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean({ description: 'Only tells what would be.' })) }),
  body: TakeMapsBody,
  bodyOptional: true,
  reply: { 200: TakenMapsView },
  problems: {
    'qualifier.unknown': 404,
    'pool.wrong_kind': 409,
    'pool.not_published': 409,
    'qualifier.map_played': 409,
    'qualifier.too_many_maps': 409,
    'qualifier.final': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, tournament, pool, query, body, now }) => {
    const dryRun = query.dryRun === true || body?.dryRun === true
    const taken = await fillQualifier(tx, { actor, tournament, now }, pool.guid, dryRun)
    const { qualifier, maps, added, removed, changed } = taken
    const status = statusAt(qualifier, now)
    return {
      qualifier: qualifierView({ tournament, qualifier, status, maps, showsSyncUrl: isOrganiser(actor) }),
      added: added.map(mapReference),
      removed: removed.map(mapReference),
      changed: changed.map(mapReference),
      dryRun,
    }
  },
})

export const qualifierOperations = [fill]
