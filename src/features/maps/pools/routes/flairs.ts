import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { command, query, tournamentPath } from '../../../../core/operation.ts'
import { isPooler } from '../../../tournaments/access/policy.ts'
import { FlairsBody, PoolingBody } from '../bodies.ts'
import { changePooling, replaceFlairs } from '../commands/flairs.ts'
import { headPoolers, poolAudience, poolers } from '../policy.ts'
import { listFlairs, listShownFlairs, readPoolingSettings } from '../store/flairs.ts'
import { FlairView, flairView } from '../views/flair.ts'

const list = query({
  name: 'flairs.list',
  method: 'GET',
  path: `${tournamentPath}/flairs`,
  scope: 'public',
  allow: anyone,
  summary: 'The flairs of a tournament, which tell the maps of its pools apart.',
  description: 'Poolers see all, everybody else those that maps carry which they see.',
  reply: { 200: Type.Array(FlairView) },
  audience: poolAudience,
  run: async ({ db, actor, tournament, depends }) => {
    depends(tournament.guid)
    const flairs = await (isPooler(actor) ? listFlairs : listShownFlairs)(db, tournament.guid)
    return flairs.map((flair, order) => flairView(flair, order))
  },
})

const replace = command({
  name: 'flairs.replace',
  method: 'PUT',
  path: `${tournamentPath}/flairs`,
  scope: 'rest:write',
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Replace the flairs of a tournament as a whole.',
  description:
    'Those with a GUID are updated, those without are made, those left out are deleted. One that maps carry is deleted only where `replaceWith` says what they carry instead. Published pools whose maps then carry others, or some that look otherwise, get a new revision.',
  body: FlairsBody,
  reply: { 200: Type.Array(FlairView) },
  problems: {
    'flair.invalid': 400,
    'flair.unknown': 400,
    'flair.name_taken': 400,
    'flair.in_use': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, tournament, body, now }) => {
    const flairs = await replaceFlairs(
      tx,
      { actor, tournament, now },
      body.flairs,
      body.replaceWith ?? [],
      body.reason ?? null,
    )
    return flairs.map((flair, order) => flairView(flair, order))
  },
})

const PoolingView = Type.Object(
  {
    openSuggestions: Type.Boolean({ description: 'Whoever may see the tournament may suggest maps.' }),
    hideVotes: Type.Boolean({ description: 'Poolers see how others voted once they have voted themselves.' }),
  },
  { title: 'PoolingSettings' },
)

const readSettings = query({
  name: 'pooling.read',
  method: 'GET',
  path: `${tournamentPath}/pooling`,
  scope: 'rest:read',
  allow: poolers,
  summary: 'How maps are suggested and voted on.',
  description:
    'Until somebody changes that, poolers alone suggest, and votes are hidden from those who have not voted.',
  reply: { 200: PoolingView },
  run: async ({ db, tournament }) => ({ ...(await readPoolingSettings(db, tournament.guid)) }),
})

const changeSettings = command({
  name: 'pooling.update',
  method: 'PATCH',
  path: `${tournamentPath}/pooling`,
  scope: 'rest:write',
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Change how maps are suggested and voted on.',
  description: 'What is not given stays. Suggestions that were made stay, too.',
  body: PoolingBody,
  strict: true,
  reply: { 200: PoolingView },
  problems: { 'tournament.cancelled': 409 },
  run: async ({ tx, actor, tournament, body, now }) => ({
    ...(await changePooling(tx, { actor, tournament, now }, body)),
  }),
})

export const flairsOperations = [list, replace, readSettings, changeSettings]
