import { command, tournamentPath } from '../../../core/operation.ts'
import { anyStaff } from '../../tournaments/access/policy.ts'
import { EstimateBody } from './bodies.ts'
import { makeEstimate } from './queries.ts'
import { EstimateView } from './views.ts'

const make = command({
  name: 'estimates.make',
  method: 'POST',
  path: `${tournamentPath}/estimate`,
  scope: 'rest:read',
  allow: anyStaff,
  inRehearsals: true,
  summary: 'How long an evening takes, from 500 simulated runs.',
  description:
    'Nothing is kept. The brackets of the tournament are played with their settings, in the order of their stages, on as many channels as there are; durations come from past matches of the same best-of. A team that does not appear costs its first opponent ten minutes and is out. Two estimates are made at a time; further requests are answered with 503.',
  body: EstimateBody,
  reply: { 200: EstimateView },
  problems: { 'estimate.invalid': 400, 'bracket.settings_invalid': 400, 'service.busy': 503 },
  prepare: async ({ db, services, tournament, body }) => makeEstimate(db, services.threads, tournament, body),
  run: ({ prepared }) => prepared,
})

export const estimatesOperations = [make]
