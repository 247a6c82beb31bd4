import { Type } from 'typebox'
import { oneOf } from '../../../core/schema.ts'
import { ticketProviders } from '../../../infra/clients/game-proof/types.ts'

/** The proof is sent on to the ranking platform unchanged, in a form. It is therefore ASCII without white space. */
const proof = { pattern: '^[\\x21-\\x7e]+$', minLength: 1 }
const PlayerId = Type.String({ pattern: '^\\d{1,20}$', examples: ['76561198000000001'] })

/** Form A: a nonce of ranking platform A. (AS27) */
const NonceBody = Type.Object({
  platform: oneOf(['scoresaber']),
  platformId: PlayerId,
  platformUsername: Type.String({ minLength: 1, maxLength: 100, examples: ['Quaver'] }),
  proofProvider: oneOf(['scoresaber']),
  proofPlayerId: PlayerId,
  proofNonce: Type.String({ ...proof, maxLength: 4_096, examples: ['hQ3mVxZk81'] }),
})

/** Form B: a ticket of ranking platform B. (AS27) */
const TicketBody = Type.Object({
  provider: oneOf(ticketProviders),
  ticket: Type.String({ ...proof, maxLength: 8_192, examples: ['14000000f1d0'] }),
  scopes: Type.Optional(
    Type.Array(oneOf(['compcube']), {
      maxItems: 10,
      description: 'What the token is to say beside the game’s scopes.',
    }),
  ),
})

export const GameProofBody = Type.Union([NonceBody, TicketBody], {
  description: 'By ranking platform A a nonce that its players are given, or by B a ticket of the game’s shop.',
})
