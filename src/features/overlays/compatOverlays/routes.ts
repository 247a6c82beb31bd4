import { anyone } from '../../../core/actor.ts'
import { query, tournamentPath } from '../../../core/operation.ts'
import { compatibleRead } from '../../../infra/realtime/compatible/read.ts'
import { compatAudience } from './policy.ts'
import { readCompatOverlay } from './queries.ts'
import { changesOf } from './rules.ts'
import { CompatOverlay } from './views/overlay.ts'

const read = query({
  name: 'compatOverlays.read',
  method: 'GET',
  path: `${tournamentPath}/overlays/:overlay/compatible`,
  scope: 'public',
  allow: anyone,
  takesViewToken: true,
  summary: 'An overlay with the match that it points at, as clients know it that were written for another service.',
  reply: { 200: CompatOverlay },
  audience: compatAudience,
  live: { about: 'overlay', sentWhole: true },
  run: ({ db, actor, tournament, overlay, services, now, depends }) =>
    readCompatOverlay({ db, actor, tournament, overlay, services, now }, depends),
})

export const compatibleOverlays = compatibleRead<CompatOverlay>({
  operation: read,
  event: 'getTournamentOverlay',
  members: { tournament: 'tournamentGuid', overlay: 'overlayGuid' },
  answer: 'overlay',
  changes: changesOf,
})
