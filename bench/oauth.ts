import { randomUUID } from 'node:crypto'
import { digestOf, newSecret } from '../src/infra/secrets.ts'
import { lockClientForKeyShare } from '../src/oauth/store/applications.ts'
import {
  insertGrant,
  insertRefreshToken,
  lockRefreshToken,
  noteGrantUse,
  useRefreshToken,
} from '../src/oauth/store/grants.ts'
import { during, inTurns, load, loop, over } from './load.ts'
import { type Row, ratio } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer } from './world.ts'

const seconds = 3
const callers = 50

/**
 * Reads with tokens that the process has cached: the user's own record, and a card, the cheapest read. Compared with
 * the same service without its check of tokens.
 */
export async function bearerReads(service: Service): Promise<Row[]> {
  const players = await Promise.all(Array.from({ length: callers }, () => makePlayer(service.runtime)))
  const trusting = await service.startTrusting()
  const measure = (pathOf: (guid: string) => string) => {
    const ask = (url: string) => () =>
      load(
        url,
        during(seconds, (index) => {
          const { guid, token } = players[index % callers] as (typeof players)[number]
          return { path: pathOf(guid), token }
        }),
        64,
      )
    return inTurns(ask(service.url), ask(trusting.url))
  }
  const baseline = 'the same with the token’s check replaced'
  const rows = [
    ratio('/users/@me, token known', baseline, await measure(() => '/api/users/@me'), 0.87),
    ratio('card, token known', baseline, await measure((guid) => `/api/users/${guid}/card`), 0.87),
  ]
  await trusting.stop()
  return rows
}

const refreshes = 1_000
const connections = 32

/** Refreshes tokens, each with another grant. Compared with the same statements and one signature. */
export async function tokenRefreshes({ url, runtime }: Service): Promise<Row[]> {
  const { database, tokens } = runtime
  const player = await makePlayer(runtime)
  const { rows } = await database.pool.query<{ client_id: string }>(
    `insert into applications (owner_guid, name, type, scopes, redirect_uris)
     values ($1, 'Bench', 'public', '{rest:read}', '{https://client.example/callback}') returning client_id`,
    [player.guid],
  )
  const clientId = rows[0]?.client_id as string
  const freshTokens = () =>
    database.transaction((tx) =>
      Promise.all(
        Array.from({ length: refreshes }, async () => {
          const [guid, secret] = [randomUUID(), newSecret()]
          const now = new Date()
          await insertGrant(tx, { guid, clientId, userGuid: player.guid, scopes: ['rest:read'] }, now)
          await insertRefreshToken(tx, digestOf(secret), guid, new Date(now.getTime() + 3_600_000))
          return secret
        }),
      ),
    )
  const measured = await inTurns(
    async () => {
      const request = (secret: string) => ({
        method: 'POST' as const,
        path: '/api/oauth/token',
        form: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${secret}`,
      })
      return load(url, over(await freshTokens(), request), connections)
    },
    async () => {
      const exchange = (secret: string) => () =>
        database.transaction(async (tx) => {
          const now = new Date()
          await lockClientForKeyShare(tx, clientId)
          const token = await lockRefreshToken(tx, digestOf(secret))
          if (token === undefined) throw new Error('no such refresh token')
          const { grant, subject, tokenHash } = token
          await Promise.all([
            useRefreshToken(tx, tokenHash, now),
            noteGrantUse(tx, grant.guid, now),
            insertRefreshToken(tx, digestOf(newSecret()), grant.guid, now),
            tokens.issue(tx, subject, { scopes: grant.scopes, grant }, now),
          ])
        })
      return loop(over(await freshTokens(), exchange), connections)
    },
  )
  return [ratio('token refresh', 'the same prepared statements and one RS256 signature', measured, 0.5)]
}
