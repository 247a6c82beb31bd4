import { Type } from 'typebox'
import { shapeOf } from '../../../core/shape.ts'
import { readBody, visibleName } from '../answers.ts'
import type { HttpClient } from '../http.ts'
import { Asking, isAccepted, pictureOf } from './asking.ts'
import type { GameProver, NonceProof } from './types.ts'

const SignedIn = shapeOf(Type.Object({ a: Type.String({ minLength: 1, maxLength: 4_096 }) }))

const Player = shapeOf(
  Type.Object({
    id: Type.String({ maxLength: 20 }),
    name: Type.String({ maxLength: 500 }),
    profilePicture: Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()])),
  }),
)

interface Options {
  readonly http: HttpClient
  readonly timeoutMs: number
  /** The address of its game sign-in, and the address of its API. */
  readonly gameUrl: string
  readonly apiUrl: string
}

/**
 * Signs in at ranking platform A as its own game client does: a successful sign-in proves the player. The received key
 * is not used and not kept. (AS27)
 */
export function createScoreSaberProver({ http, timeoutMs, gameUrl, apiUrl }: Options): GameProver<NonceProof> {
  return {
    async prove({ playerId, nonce, name }) {
      const asking = new Asking(http, timeoutMs)
      const form = { at: '2', playerId, nonce, friends: '', name }
      const signedIn = await asking.ask({ method: 'POST', url: `${gameUrl}/auth`, form })
      if (!isAccepted(signedIn)) return null
      readBody(signedIn, SignedIn)
      const known = await asking.ask({ method: 'GET', url: `${apiUrl}/player/${encodeURIComponent(playerId)}/basic` })
      const player = known.status !== 404 && isAccepted(known) ? readBody(known, Player) : null
      return {
        platform: 'scoresaber',
        platformId: playerId,
        name: visibleName(player?.name ?? name) || playerId,
        avatarUrl: pictureOf(player?.profilePicture),
      }
    },
  }
}
