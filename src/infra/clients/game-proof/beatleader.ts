import { Type } from 'typebox'
import { shapeOf } from '../../../core/shape.ts'
import { readBody, visibleName } from '../answers.ts'
import type { HttpAnswer, HttpClient } from '../http.ts'
import { Asking, isAccepted, pictureOf } from './asking.ts'
import type { GameProver, TicketProof } from './types.ts'

const Player = shapeOf(
  Type.Object({
    id: Type.String({ pattern: '^\\d{1,20}$' }),
    name: Type.String({ maxLength: 500 }),
    avatar: Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()])),
  }),
)

/** Ranking platform B signs the player of the ticket in, and identifies them by the cookie of that sign-in. (AS27) */
export function createBeatLeaderProver({
  http,
  timeoutMs,
  apiUrl,
}: {
  readonly http: HttpClient
  readonly timeoutMs: number
  readonly apiUrl: string
}): GameProver<TicketProof> {
  return {
    async prove({ provider, ticket }) {
      const asking = new Asking(http, timeoutMs)
      const form = { ticket, provider, returnUrl: '/' }
      const signedIn = await asking.ask({ method: 'POST', url: `${apiUrl}/signin`, form })
      if (!isAccepted(signedIn)) return null
      const cookie = cookiesOf(signedIn)
      if (cookie === '') return null
      const told = await asking.ask({ method: 'GET', url: `${apiUrl}/user/modinterface`, headers: { cookie } })
      if (!isAccepted(told)) return null
      const { id, name, avatar } = readBody(told, Player)
      return { platform: 'beatleader', platformId: id, name: visibleName(name) || id, avatarUrl: pictureOf(avatar) }
    },
  }
}

/**
 * The cookies as a browser would send them back. Cookies joined by commas may contain dates with commas of their own.
 */
function cookiesOf({ headers }: HttpAnswer): string {
  return (headers['set-cookie'] ?? '')
    .split(/,(?=\s*[^\s;,=]+=)/)
    .map((cookie) => cookie.split(';')[0]?.trim() ?? '')
    .filter((pair) => /^[^\s;,=]+=[\x21-\x7e]+$/.test(pair))
    .join('; ')
}
