import { Type } from 'typebox'
import { command } from '../../../../core/operation.ts'
import { headPoolers } from '../../pools/policy.ts'
import { readPoolMap } from '../../pools/queries/pools.ts'
import { correctionProblems } from '../../pools/routes/maps.ts'
import { PoolMapView } from '../../pools/views/map.ts'
import { AcceptBody, RejectBody } from '../bodies.ts'
import { acceptSuggestion, rejectSuggestion, reopenSuggestion } from '../commands/deciding.ts'
import { viewSuggestion } from '../queries.ts'
import { SuggestionView } from '../views.ts'
import { existsRefusals, stepProblems, suggestionPath } from './suggestions.ts'

const accept = command({
  name: 'suggestions.accept',
  method: 'POST',
  path: `${suggestionPath}/accept`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  summary: 'Accept a suggestion: its map goes into the pool.',
  description:
    'Into the pool that it is for, or that the body names as `poolGuid`, which it must where the suggestion is for none; with that flair, behind the others. Into a published pool that is a correction, with a reason. Whoever suggested it is told.',
  body: AcceptBody,
  bodyOptional: true,
  reply: { 200: Type.Object({ suggestion: SuggestionView, poolMap: PoolMapView }) },
  problems: {
    ...stepProblems,
    ...correctionProblems,
    'suggestion.pool_missing': 400,
    'pool.unknown': 404,
    'pool.archived': 409,
    'pool.map_invalid': 400,
    'flair.unknown': 400,
    'pool.map_twice': 409,
    'pool.full': 409,
  },
  run: async ({ tx, actor, tournament, suggestion, body, services, now }) => {
    const { poolGuid, reason = null, ...settings } = body ?? {}
    const acceptance = { settings, reason, ...(poolGuid === undefined ? {} : { poolGuid }) }
    const writing = { actor, tournament, now }
    const accepted = await acceptSuggestion(tx, writing, suggestion.guid, acceptance, services.config)
    const viewer = { actor, tournamentGuid: tournament.guid, now }
    return {
      suggestion: await viewSuggestion(tx, accepted.suggestion, viewer),
      poolMap: await readPoolMap(tx, tournament.guid, accepted.poolGuid, accepted.poolMapGuid, now),
    }
  },
})

const reject = command({
  name: 'suggestions.reject',
  method: 'POST',
  path: `${suggestionPath}/reject`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  summary: 'Reject a suggestion; whoever made it is told why.',
  description: 'Voting on it ends, and poolers see how everybody voted. It can be opened again.',
  body: RejectBody,
  reply: { 200: SuggestionView },
  problems: stepProblems,
  run: async ({ tx, actor, tournament, suggestion, body, now }) => {
    const rejected = await rejectSuggestion(tx, { actor, tournament, now }, suggestion.guid, body.reason)
    return viewSuggestion(tx, rejected, { actor, tournamentGuid: tournament.guid, now })
  },
})

const reopen = command({
  name: 'suggestions.reopen',
  method: 'POST',
  path: `${suggestionPath}/reopen`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  summary: 'Open a suggestion again that was rejected or withdrawn.',
  description: 'With the votes that it had. Not while its map is suggested anew, which is told as `suggestionGuid`.',
  reply: { 200: SuggestionView },
  refusals: existsRefusals,
  problems: { ...stepProblems, 'suggestion.exists': 409, 'suggestion.limit_reached': 409 },
  run: async ({ tx, actor, tournament, suggestion, now }) => {
    const reopened = await reopenSuggestion(tx, { actor, tournament, now }, suggestion.guid)
    return viewSuggestion(tx, reopened, { actor, tournamentGuid: tournament.guid, now })
  },
})

export const decidingOperations = [accept, reject, reopen]
