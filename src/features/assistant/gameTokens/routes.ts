import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { missing } from '../../../core/problem.ts'
import { GameProofBody } from './bodies.ts'
import { signGameIn } from './commands.ts'
import { prove } from './prepare.ts'
import { GameTokenView } from './views.ts'

/** Games call these addresses without `/api`. (AS27) */

const request = command({
  name: 'gameTokens.request',
  method: 'POST',
  path: '/game/requestAuthToken',
  alsoAtRoot: true,
  scope: 'public',
  allow: anyone,
  budget: 'game',
  summary: 'Sign in a game.',
  description:
    'A game proves who plays by a ranking platform, which is asked; each nonce or ticket is good once. The token says who it is to servers of assistants. Ten calls a minute from an address.',
  body: GameProofBody,
  reply: { 200: GameTokenView },
  problems: { 'game.proof_refused': 401, 'user.banned': 403, 'game.proof_unreachable': 503 },
  prepare: async ({ body, ...asking }) => prove(asking, body),
  run: async ({ tx, services, prepared, now }) => signGameIn(tx, services, prepared, now),
})

const latestVersion = query({
  name: 'gameTokens.latestVersion',
  method: 'GET',
  path: '/game/ta/standalone/latest-version',
  alsoAtRoot: true,
  scope: 'public',
  allow: anyone,
  summary: 'The newest version of the assistant’s client that runs on its own.',
  description: 'As the operator of this service says; games take it that none is known.',
  contentType: 'text/plain',
  reply: { 200: Type.String({ examples: ['1.3.10'] }) },
  problems: { 'game.version_unset': 404 },
  run: ({ services: { config } }) => {
    const { assistantClientVersion: body } = config
    if (body === null) throw missing('game.version_unset', 'No version of the client is known here.')
    return new Answer(200, { body, contentType: 'text/plain; charset=utf-8' })
  },
})

export const gameTokensOperations = [request, latestVersion]
