import { command, query } from '../../../core/operation.ts'
import { ApplyBody, ProposalBody } from './bodies.ts'
import { applyProposal, draftSchedule, saveProposal } from './commands.ts'
import { schedulers } from './policy.ts'
import { ProposalView, readProposalView } from './views.ts'

const path = '/tournaments/:tournament/schedule/proposals'

const propose = command({
  name: 'schedules.propose',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: schedulers,
  inRehearsals: true,
  summary: 'Work out times and officials for matches, from the answers of availability sheets.',
  description:
    'Nobody and no stream is in two places, teams rest between their matches, and everybody gave the time; within that, as many matches as can be, with as little as possible that anybody would rather not do, evenly spread. Equal questions have equal answers. Nothing of it holds until it is applied.',
  budget: 'upload',
  body: ProposalBody,
  reply: { 201: ProposalView },
  problems: {
    'match.unknown': 404,
    'bracket.unknown': 404,
    'sheet.unknown': 404,
    'schedule.invalid': 400,
    'schedule.match_over': 409,
    'tournament.cancelled': 409,
    'service.busy': 503,
  },
  prepare: async ({ db, services, tournament, body }) => draftSchedule(db, services.threads, tournament, body),
  run: async ({ tx, actor, tournament, prepared, now }) =>
    readProposalView(tx, await saveProposal(tx, actor, tournament, prepared, now)),
})

const read = query({
  name: 'schedules.read',
  method: 'GET',
  path: `${path}/:proposal`,
  scope: 'rest:read',
  allow: schedulers,
  summary: 'A proposal, as it was worked out. The newest twenty of a tournament are kept.',
  description: 'With the time and the officials of each match, and the reason for each that could not be placed.',
  reply: { 200: ProposalView },
  run: async ({ db, proposal }) => readProposalView(db, proposal),
})

const apply = command({
  name: 'schedules.apply',
  method: 'POST',
  path: `${path}/:proposal/apply`,
  scope: 'rest:write',
  allow: schedulers,
  inRehearsals: true,
  summary: 'Give matches the times and officials of a proposal, all of them or some, in one step.',
  description:
    'Refused when answers or matches have changed since it was worked out. Officials in roles that it did not ask for stay, and are nowhere else then; matches that it could not place lose the times that they had. Where only some `matches` are named, nothing else changes. Either way it is applied once.',
  body: ApplyBody,
  bodyOptional: true,
  reply: { 200: ProposalView },
  problems: {
    'schedule.invalid': 400,
    'schedule.applied': 409,
    'schedule.outdated': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, proposal, body, now }) =>
    readProposalView(tx, await applyProposal(tx, actor, proposal, body?.matches, now)),
})

export const schedulesOperations = [propose, read, apply]
