import { decodeJwt } from 'jose'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { type Actor, anonymous } from '../src/core/actor.ts'
import { type Scope, withImplied } from '../src/core/scopes.ts'

/** The service with its check of tokens replaced by a look into a map: what the check costs is what this one lacks. */

const known = new Map<string, Actor>()

function believe(token: string): Actor {
  const seen = known.get(token)
  if (seen !== undefined) return seen
  const { sub, id, jti, scopes } = decodeJwt<{ id: string; scopes: Scope[] }>(token)
  const actor: Actor = {
    ...anonymous,
    guid: sub ?? null,
    chatPlatformId: id,
    scopes: withImplied(scopes),
    token: { jti: jti ?? '', clientId: null },
  }
  known.set(token, actor)
  return actor
}

const app = await createApp(readConfig())
Object.assign(app.services.tokens, { verify: async (token: string) => believe(token) })
await app.listen()
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
