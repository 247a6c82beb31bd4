import { decodeJwt } from 'jose'
import { type Static, Type } from 'typebox'
import type { Tx } from '../../infra/db/database.ts'
import { digestOf } from '../../infra/secrets.ts'
import type { Services } from '../../services.ts'
import { isStanding } from '../checks/grant.ts'
import { lockRefreshToken } from '../store/grants.ts'
import type { Client } from '../types.ts'

/** The state of a token; for an invalid token only that it is inactive. (RFC 7662 §2.2) */
export const Introspection = Type.Object(
  {
    active: Type.Boolean(),
    scope: Type.Optional(Type.String({ description: 'Space-separated, as granted.' })),
    client_id: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.String()),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    nbf: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String()),
    aud: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
  },
  { title: 'Introspection', description: 'RFC 7662 §2.2.' },
)
export type Introspection = Static<typeof Introspection>

const inactive: Introspection = { active: false }

/**
 * Introspects any access token, for every client that accepts our tokens; refresh tokens only for the client that they
 * were issued to.
 */
export async function introspect(
  tx: Tx,
  { tokens, config }: Services,
  client: Client,
  token: string,
  now: Date,
): Promise<Introspection> {
  const bearer = await tokens.verify(token, now)
  if (bearer !== null) {
    // The call above has verified the token.
    const { scope, client_id, username, exp, iat, nbf, sub, aud, iss, jti } = decodeJwt<Claims>(token)
    const application = client_id === null ? {} : { client_id }
    const rest = { exp, iat, nbf, sub, aud: String(aud), iss, jti }
    return { active: true, scope, ...application, username, token_type: 'Bearer', ...rest } as Introspection
  }
  const refresh = await lockRefreshToken(tx, digestOf(token))
  if (refresh === undefined || refresh.grant.clientId !== client.clientId || !isStanding(refresh, now)) return inactive
  const { grant, subject, expiresAt } = refresh
  return {
    active: true,
    scope: grant.scopes.join(' '),
    client_id: client.clientId,
    username: subject.username,
    exp: Math.floor(expiresAt.getTime() / 1000),
    sub: subject.guid,
    iss: config.publicUrl,
  }
}

interface Claims {
  readonly scope: string
  readonly client_id: string | null
  readonly username: string
}
