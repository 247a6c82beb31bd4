import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../test/harness.ts'
import { type MadeApplication, makeApplication } from '../../../test/make.ts'

let api: Harness
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const applications = '/oauth/applications'
const addressOf = ({ clientId }: { clientId: string }) => `${applications}/${clientId}`

const registration = (changes: object = {}) => ({
  name: 'Overlay Editor',
  scopes: ['rest:read', 'ws:read'],
  redirectUris: ['https://client.example/callback', 'http://localhost:3000/cb?x=1'],
  type: 'confidential',
  ...changes,
})

async function register(as: Caller, changes: object = {}): Promise<{ clientId: string; clientSecret: string }> {
  const reply = await api.post(applications, as, registration(changes))
  expect(outcome(reply)).toEqual([201, null])
  return reply.body
}

async function storedHash({ clientId }: { clientId: string }): Promise<string | null | undefined> {
  const [row] = await api.sql<{ hash: string | null }>(
    `select encode(secret_hash, 'hex') as hash from applications where client_id = $1`,
    [clientId],
  )
  return row?.hash
}

const eventsOf = ({ clientId }: { clientId: string }) =>
  api.sql('select type, actor, tournament, before, after from event_log where subject = $1 order by seq', [clientId])

describe('deleting', () => {
  /** One record of every kind that can belong to an application. */
  async function arrangeGrants({ clientId }: MadeApplication, user: Caller): Promise<string> {
    const token = await api.token(user, ['rest:read'], { clientId, clientSecret: null })
    const hash = () => createHash('sha256').update(randomUUID()).digest()
    await api.sql(
      `insert into refresh_tokens (token_hash, grant_guid, expires_at)
       select $2, guid, now() + interval '1 day' from grants where client_id = $1`,
      [clientId, hash()],
    )
    await api.sql(`insert into consents (user_guid, client_id, scopes) values ($1, $2, '{rest:read}')`, [
      user.guid,
      clientId,
    ])
    await api.sql(
      `insert into authorization_codes (code_hash, user_guid, client_id, redirect_uri, scopes, expires_at)
       values ($3, $1, $2, 'https://client.example/callback', '{rest:read}', now() + interval '10 minutes')`,
      [user.guid, clientId, hash()],
    )
    await api.sql(
      `insert into device_requests (device_code_hash, user_code_seal, client_id, scopes, expires_at, interval)
       values ($2, $3, $1, '{rest:read}', now() + interval '10 minutes', 5)`,
      [clientId, hash(), randomUUID()],
    )
    return token
  }

  async function countGiven({ clientId }: MadeApplication): Promise<Record<string, number>> {
    const [counts] = await api.sql<Record<string, number>>(
      `select (select count(*)::int from consents where client_id = $1) as consents,
         (select count(*)::int from grants where client_id = $1) as grants,
         (select count(*)::int from authorization_codes where client_id = $1) as codes,
         (select count(*)::int from device_requests where client_id = $1) as requests,
         (select count(*)::int from refresh_tokens join grants on guid = grant_guid where client_id = $1) as refresh,
         (select count(*)::int from access_tokens join grants on guid = grant_guid where client_id = $1) as access`,
      [clientId],
    )
    return counts ?? {}
  }

  const everything = { consents: 1, grants: 1, codes: 1, requests: 1, refresh: 1, access: 1 }
  const nothing = { consents: 0, grants: 0, codes: 0, requests: 0, refresh: 0, access: 0 }

  test('takes away all that the application was given, and nothing of any other', async () => {
    const [user, doomed, other] = [await api.user(), await makeApplication(api, owner), await register(owner)]
    await arrangeGrants(doomed, user)
    const othersToken = await arrangeGrants(other, user)
    const [orphans] = await api.sql<{ tokens: string[] }>(
      'select array_agg(jti::text) as tokens from access_tokens join grants on guid = grant_guid where client_id = $1',
      [doomed.clientId],
    )
    expect([await countGiven(doomed), await countGiven(other)]).toEqual([everything, everything])
    const reply = await api.delete(addressOf(doomed), owner)
    expect([outcome(reply), reply.text]).toEqual([[204, null], ''])
    expect([await countGiven(doomed), await countGiven(other)]).toEqual([nothing, everything])
    expect(await api.sql('select from access_tokens where jti = any($1)', [orphans?.tokens])).toEqual([])
    expect((await api.call('GET', '/users/@me', { token: othersToken })).status).toBe(200)
    expect(outcome(await api.get(addressOf(doomed), owner))).toEqual([404, 'application.unknown'])
    expect(outcome(await api.delete(addressOf(doomed), owner))).toEqual([404, 'application.unknown'])
    const listed = (await api.get(applications, owner)).body.map(({ clientId }: MadeApplication) => clientId)
    expect(listed).toContain(other.clientId)
    expect(listed).not.toContain(doomed.clientId)
  })

  test('ends its access tokens at once, on every process, and no others of the same user', async () => {
    await using sibling = await api.sibling()
    const [user, doomed] = [await api.user(), await register(owner)]
    const token = await api.token(user, ['rest:read'], { ...doomed })
    const ask = (service: Harness) => service.call('GET', '/users/@me', { token })
    // Twice, so that each process has cached the token, and must forget it.
    for (const service of [api, sibling, api, sibling]) expect((await ask(service)).status).toBe(200)
    expect(outcome(await api.delete(addressOf(doomed), owner))).toEqual([204, null])
    expect(outcome(await ask(sibling))).toEqual([401, 'token.invalid'])
    expect(outcome(await ask(api))).toEqual([401, 'token.invalid'])
    expect((await sibling.get('/users/@me', user)).status).toBe(200)
  })

  test('several times at once succeeds once', async () => {
    const doomed = await register(owner)
    const replies = await Promise.all(Array.from({ length: 4 }, () => api.delete(addressOf(doomed), owner)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
    expect((await eventsOf(doomed)).map(({ type }) => type)).toEqual(['application.created', 'application.deleted'])
  })

  test('while it is changed leaves nothing behind, and fails in no other way', async () => {
    const doomed = await register(owner)
    const [deleted, ...others] = await Promise.all([
      api.delete(addressOf(doomed), owner),
      api.patch(addressOf(doomed), owner, { name: 'Scene Editor' }),
      api.post(`${addressOf(doomed)}/secret`, owner),
    ])
    expect(outcome(deleted)).toEqual([204, null])
    for (const reply of others) {
      expect([
        [200, null],
        [404, 'application.unknown'],
      ]).toContainEqual(outcome(reply))
    }
    expect(await storedHash(doomed)).toBeUndefined()
    expect((await eventsOf(doomed)).at(-1)?.type).toBe('application.deleted')
  })
})
