import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { query, tournamentPath } from '../../../core/operation.ts'
import { staffAudience } from '../../tournaments/access/policy.ts'

const read = query({
  name: 'overlays.read',
  method: 'GET',
  path: `${tournamentPath}/overlays/:overlay`,
  scope: 'public',
  allow: anyone,
  takesViewToken: true,
  summary: 'An overlay.',
  reply: { 200: Type.Object({ guid: Type.String(), name: Type.String() }, { title: 'Overlay' }) },
  audience: staffAudience,
  live: {},
  run: ({ overlay: { guid, name }, tournament, depends }) => {
    depends(guid, tournament.guid)
    return { guid, name }
  },
})

export const overlaysOperations = [read]
