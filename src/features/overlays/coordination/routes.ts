import { query, tournamentPath } from '../../../core/operation.ts'
import { anyStaff } from '../../tournaments/access/policy.ts'
import { coordinationAudience, seesSessionsNow } from './policy.ts'
import { readCoordination } from './queries.ts'
import { CoordinationView } from './views.ts'

const read = query({
  name: 'coordination.read',
  method: 'GET',
  path: `${tournamentPath}/coordination`,
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'What runs and what comes next, with all that those who run a match day must know of it.',
  description:
    'Of each match the overlays that point at it, its session, the phase of its session at the assistant, results that wait for a decision, and players who are live. At most 20 matches that run and 20 that come next. Sessions are shown as they are now to referees and casters, and with their delay to other staff.',
  reply: { 200: CoordinationView },
  audience: coordinationAudience,
  live: {},
  run: ({ db, actor, tournament, depends }) => readCoordination(db, tournament.guid, seesSessionsNow(actor), depends),
})

export const coordinationOperations = [read]
