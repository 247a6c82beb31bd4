import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { Answer, command, query, tournamentPath } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { CreateFlowBody, ReplaceFlowBody } from '../bodies/flow.ts'
import { createFlow, deleteFlow, replaceFlow } from '../commands.ts'
import { flowWriters } from '../policy.ts'
import { judgeWritten, problemsOf } from '../prepare.ts'
import { listFlows } from '../store.ts'
import { FlowView, flowView, ProblemView } from '../views.ts'

const flowsPath = `${tournamentPath}/flows` as const
const flowPath = `${flowsPath}/:flow` as const

/** Returned when more long flows wait for validation than the threads accept. */
const busy = { 'service.busy': 503 } as const

const list = query({
  name: 'flows.list',
  method: 'GET',
  path: flowsPath,
  scope: 'public',
  allow: anyone,
  summary: 'The flows of a tournament, the oldest first.',
  description: 'By which steps and rules its matches can be played; which are, the plan tells.',
  reply: { 200: Type.Array(FlowView) },
  problems: busy,
  audience: everybody,
  live: { sends: ['flow.created', 'flow.updated', 'flow.deleted'] },
  run: async ({ db, tournament, services, depends }) => {
    depends(tournament.guid)
    const views = []
    // One after the other, since the threads accept only a few waiting tasks.
    for (const flow of await listFlows(db, tournament.guid)) {
      views.push(flowView(flow, await problemsOf(services.threads, flow.definition)))
    }
    return views
  },
})

const read = query({
  name: 'flows.read',
  method: 'GET',
  path: flowPath,
  scope: 'public',
  allow: anyone,
  summary: 'A flow: its steps, its rules, and what is wrong with it.',
  description: 'All members are shown, those too that were left out when it was written.',
  reply: { 200: FlowView },
  problems: busy,
  audience: everybody,
  live: { sends: ['flow.updated', 'flow.deleted'] },
  run: async ({ flow, services, depends }) => {
    depends(flow.guid)
    return flowView(flow, await problemsOf(services.threads, flow.definition))
  },
})

const Invalid = Type.Object({ message: Type.String(), problems: Type.Optional(Type.Array(ProblemView)) })

const writeProblems = {
  ...busy,
  'flow.invalid': 400,
  'flow.name_invalid': 400,
  'flow.preset_unknown': 400,
  'flow.maps_missing': 400,
  'tournament.cancelled': 409,
} as const

const create = command({
  name: 'flows.create',
  method: 'POST',
  path: flowsPath,
  scope: 'rest:write',
  allow: flowWriters,
  summary: 'Make a flow, from a preset or from nothing.',
  description:
    'With `steps` it is the whole flow, for which `basedOn` only tells where it comes from; without, the preset as it is. One with errors is refused, with all of its `problems`; warnings are taken. At most 50 in a tournament.',
  body: CreateFlowBody,
  reply: { 201: FlowView },
  refusals: { 400: Invalid },
  problems: { ...writeProblems, 'flow.steps_missing': 400, 'flow.too_many': 409 },
  prepare: ({ services, body }) => judgeWritten(services.threads, body),
  run: async ({ tx, actor, tournament, prepared: { problems, ...written }, now }) => {
    const flow = await createFlow(tx, { actor, tournamentGuid: tournament.guid, now }, written)
    return flowView(flow, problems)
  },
})

const replace = command({
  name: 'flows.replace',
  method: 'PUT',
  path: flowPath,
  scope: 'rest:write',
  allow: flowWriters,
  summary: 'Replace a flow as a whole.',
  description:
    'Members that are left out have their defaults. With `expectedUpdatedAt`, one that somebody has changed since is kept. One that the plan names stays for two seats. Sessions that were begun keep the flow that they were begun with.',
  body: ReplaceFlowBody,
  reply: { 200: FlowView },
  refusals: { 400: Invalid },
  problems: { ...writeProblems, 'flow.stale': 409, 'flow.planned': 409 },
  prepare: ({ services, body }) => judgeWritten(services.threads, body),
  run: async ({ tx, actor, tournament, flow, body, prepared: { problems, ...written }, now }) => {
    const writing = { actor, tournamentGuid: tournament.guid, now }
    const replaced = await replaceFlow(tx, writing, flow.guid, written, body.expectedUpdatedAt)
    return flowView(replaced, problems)
  },
})

const remove = command({
  name: 'flows.delete',
  method: 'DELETE',
  path: flowPath,
  scope: 'rest:write',
  allow: flowWriters,
  inRehearsals: true,
  summary: 'Delete a flow that the plan does not name.',
  description: 'Sessions that were begun with it go on.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'tournament.cancelled': 409, 'flow.planned': 409 },
  run: async ({ tx, actor, tournament, flow, now }) => {
    await deleteFlow(tx, { actor, tournamentGuid: tournament.guid, now }, flow.guid)
    return new Answer(204)
  },
})

export const flowsOperations = [list, create, read, replace, remove]
