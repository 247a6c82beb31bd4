import { Type } from 'typebox'
import { anyone, everybody, signedIn } from '../../../../core/actor.ts'
import { command, query } from '../../../../core/operation.ts'
import { presets } from '../../../../engine/flows/presets.ts'
import { simulate } from '../../../../engine/flows/simulation.ts'
import { SimulateBody, ValidateBody } from '../bodies/flow.ts'
import { judgeFlow } from '../prepare.ts'
import { findTeamSize } from '../queries.ts'
import { flowOf, trialOf } from '../rules.ts'
import { PresetView, presetView, SimulationView, simulationView, VerdictView, verdictView } from '../views.ts'

/** Seconds. Presets change only with a new version of the service. */
const maxAge = 3_600

const list = query({
  name: 'flowPresets.list',
  method: 'GET',
  path: '/flow-presets',
  scope: 'public',
  allow: anyone,
  summary: 'Flows of tournaments that are known, to begin with.',
  description: 'A tournament makes its own from one by `basedOn`; its plan may name one as it is.',
  reply: { 200: Type.Array(PresetView) },
  maxAge,
  audience: everybody,
  run: () => presets.map(presetView),
})

const read = query({
  name: 'flowPresets.read',
  method: 'GET',
  path: '/flow-presets/:preset',
  scope: 'public',
  allow: anyone,
  summary: 'A flow that is known, by its name.',
  description: 'In the form of a flow of a tournament, with all members.',
  reply: { 200: PresetView },
  maxAge,
  audience: everybody,
  run: ({ preset }) => presetView(preset),
})

const validate = command({
  name: 'flows.validate',
  method: 'POST',
  path: '/flows/validate',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'What is wrong with a flow, and how much it takes at the worst.',
  description:
    'Nothing is kept. What depends on the best of, the pool or the tournament is told where these are given. A flow without errors is decided within its worst case whatever is chosen, lapses or is played, of which `steps` counts the turns that are passed, too. Level maps that are void make it longer: without a pool, one is counted.',
  body: ValidateBody,
  reply: { 200: VerdictView },
  problems: { 'flow.maps_missing': 400, 'tournament.unknown': 404, 'service.busy': 503 },
  prepare: async ({ db, services, actor, body }) => {
    const { flow, bestOf = null, pool = null, tournament = null } = body
    const teamSize = tournament === null ? null : await findTeamSize(db, actor, tournament)
    const facts = pool?.map(({ flair = null, isTiebreaker = false }) => ({ flair, isTiebreaker })) ?? null
    return judgeFlow(services.threads, flowOf(flow), { bestOf, pool: facts, teamSize })
  },
  run: ({ prepared }) => verdictView(prepared),
})

const doSimulate = command({
  name: 'flows.simulate',
  method: 'POST',
  path: '/flows/simulate',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'Try a flow step by step, with invented sides and maps.',
  description:
    'Nothing is kept: each call tells all moves so far, and is answered with what they lead to, whose turn it is, and the log. Sides are seeded in the order of their seats. A flow may have errors; a move that is not possible ends the trial before it.',
  body: SimulateBody,
  reply: { 200: SimulationView },
  problems: { 'flow.maps_missing': 400, 'flow.invalid': 400 },
  run: ({ body }) => {
    const trial = trialOf(body)
    return simulationView(trial.flow, simulate(trial))
  },
})

export const presetsOperations = [list, read, validate, doSimulate]
