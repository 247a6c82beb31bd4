import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorize, basic, makeParty, obtain, type Party, refresh, type TokenSet } from '../../../test/authorization.ts'
import { type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { expectOAuthError } from '../../../test/oauth-answers.ts'

let api: Harness
let party: Party
let native: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api, { scopes: ['rest:write', 'ws:write'] })
  native = await makeParty(api, { type: 'public', scopes: ['rest:write', 'ws:write'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const asks = (token: string) => api.call('GET', '/users/@me/sessions', { token })
const deletes = (token: string) => api.call('DELETE', '/users/@me/sessions/nothing', { token })
const userOf = ({ access_token }: TokenSet): string =>
  JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).sub

function tokensOf(reply: Reply): TokenSet {
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('access_token')])
  return reply.body
}

const reuses = (userGuid: string, clientId: string) =>
  api.sql(
    `select actor, tournament, before, after from event_log
     where type = 'token.reused' and subject = $1 and after->>'clientId' = $2`,
    [userGuid, clientId],
  )

describe('RFC 6749 §6: a refresh', () => {
  test('answers as a code does, with another token in the place of the one that it used up', async () => {
    for (const own of [party, native]) {
      const first = await obtain(own, 'rest:read ws:read')
      const reply = await refresh(own, first.refresh_token)
      expect(tokensOf(reply)).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 5_184_000,
        refresh_token: expect.stringMatching(/^[\w-]{43,}$/),
        scope: 'rest:read ws:read',
      })
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.headers.get('pragma')).toBe('no-cache')
      expect(reply.body.refresh_token).not.toBe(first.refresh_token)
      expect((await asks(reply.body.access_token)).status).toBe(200)
    }
  })

  test('can be done again and again, and the family is kept', async () => {
    const first = await obtain(party)
    let { refresh_token: token } = first
    const seen = new Set([token])
    for (let times = 0; times < 4; times++) {
      token = tokensOf(await refresh(party, token)).refresh_token
      seen.add(token)
    }
    expect(seen.size).toBe(5)
    const family = await api.sql<{ used: boolean }>(
      `select used_at is not null as used from refresh_tokens
       where grant_guid = (select grant_guid from refresh_tokens where token_hash = sha256($1::bytea)) order by used`,
      [token],
    )
    expect(family.map(({ used }) => used)).toEqual([false, true, true, true, true])
  })

  test('starts another 180 days', async () => {
    const first = await obtain(party)
    const expiry = (token: string) =>
      api.sql<{ days: number }>(
        `select extract(epoch from expires_at - now()) / 86400 as days from refresh_tokens where token_hash = sha256($1::bytea)`,
        [token],
      )
    await api.sql(
      `update refresh_tokens set expires_at = now() + interval '1 minute' where token_hash = sha256($1::bytea)`,
      [first.refresh_token],
    )
    const next = tokensOf(await refresh(party, first.refresh_token))
    expect(Number((await expiry(next.refresh_token))[0]?.days)).toBeCloseTo(180, 2)
    await api.sql(`update refresh_tokens set expires_at = now() where token_hash = sha256($1::bytea)`, [
      next.refresh_token,
    ])
    expectOAuthError(await refresh(party, next.refresh_token), 400, 'invalid_grant')
    expect((await asks(next.access_token)).status).toBe(200)
  })

  const strange: [string, (tokens: TokenSet) => string][] = [
    ['no token', () => ''],
    ['an unknown token', () => 'a'.repeat(43)],
    ['the access token', ({ access_token }) => access_token],
    ['the token in another case', ({ refresh_token }) => refresh_token.toUpperCase()],
    ['a part of the token', ({ refresh_token }) => refresh_token.slice(0, -1)],
    ['the token and more', ({ refresh_token }) => `${refresh_token}A`],
    ['the token with NUL', ({ refresh_token }) => `${refresh_token}\u0000`],
    ['the token with a line end', ({ refresh_token }) => `${refresh_token}\n`],
    ['the token’s hash', () => '\\x00'],
  ]

  test.each(strange)('does not come of %s', async (_what, change) => {
    const tokens = await obtain(party)
    const given = change(tokens)
    expectOAuthError(await refresh(party, given), 400, given === '' ? 'invalid_request' : 'invalid_grant')
    tokensOf(await refresh(party, tokens.refresh_token))
  })

  test('does not come of a code, nor tokens of a refresh token that is taken for one', async () => {
    const code = (await authorize(party)).get('code') ?? ''
    expectOAuthError(await refresh(party, code), 400, 'invalid_grant')
    const { refresh_token: token } = await obtain(party)
    const { clientId, clientSecret } = party.application
    const raw = new URLSearchParams({ grant_type: 'authorization_code', code: token, redirect_uri: party.redirectUri })
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basic(clientId, clientSecret ?? ''),
    }
    expectOAuthError(await api.call('POST', '/oauth/token', { headers, raw: raw.toString() }), 400, 'invalid_grant')
    tokensOf(await refresh(party, token))
  })
})

describe('RFC 6749 §10.4: a refresh token is its client’s alone', () => {
  test('another client gets nothing for it, and ends nothing by trying, used or not', async () => {
    const strangers = [await makeParty(api), await makeParty(api, { type: 'public' })]
    for (const own of [party, native]) {
      const first = await obtain(own)
      for (const stranger of strangers) {
        expectOAuthError(await refresh(stranger, first.refresh_token), 400, 'invalid_grant')
      }
      const second = tokensOf(await refresh(own, first.refresh_token))
      for (const stranger of strangers) {
        expectOAuthError(await refresh(stranger, first.refresh_token), 400, 'invalid_grant')
      }
      expect((await asks(second.access_token)).status).toBe(200)
      tokensOf(await refresh(own, second.refresh_token))
      expect(await reuses(userOf(first), own.application.clientId)).toEqual([])
    }
  })

  test('whoever cannot prove to be the client ends nothing by using it again', async () => {
    const first = await obtain(party)
    const second = tokensOf(await refresh(party, first.refresh_token))
    for (const clientSecret of [null, 'wrong']) {
      const thief = { api, application: { ...party.application, clientSecret } }
      expectOAuthError(await refresh(thief, first.refresh_token), 401, 'invalid_client')
    }
    tokensOf(await refresh(party, second.refresh_token))
  })
})

describe('RFC 9700 §4.14.2, D22: a refresh token that is used twice', () => {
  test('ends its whole family, access tokens included, and nothing else, and says so once', async () => {
    for (const own of [party, native]) {
      const other = await obtain(own)
      const family = [await obtain(own)]
      for (let times = 0; times < 3; times++) {
        family.push(tokensOf(await refresh(own, family.at(-1)?.refresh_token ?? '')))
      }
      for (const { access_token: token } of family) expect((await asks(token)).status).toBe(200)
      expectOAuthError(await refresh(own, family[1]?.refresh_token ?? ''), 400, 'invalid_grant')
      for (const { access_token: token } of family) {
        const reply = await asks(token)
        expect([reply.status, reply.headers.get('problem-code')]).toEqual([401, 'token.invalid'])
      }
      for (const { refresh_token: token } of family.toReversed()) {
        expectOAuthError(await refresh(own, token), 400, 'invalid_grant')
      }
      expect((await asks(other.access_token)).status).toBe(200)
      tokensOf(await refresh(own, other.refresh_token))
      const { clientId } = own.application
      const after = { clientId, kind: 'refresh_token' }
      expect(await reuses(userOf(other), clientId)).toEqual([{ actor: null, tournament: null, before: null, after }])
    }
  })

  test('does so after it would have expired', async () => {
    const first = await obtain(party)
    const second = tokensOf(await refresh(party, first.refresh_token))
    await api.sql(
      `update refresh_tokens set expires_at = now() - interval '1 s' where token_hash = sha256($1::bytea)`,
      [first.refresh_token],
    )
    expectOAuthError(await refresh(party, first.refresh_token), 400, 'invalid_grant')
    expectOAuthError(await refresh(party, second.refresh_token), 400, 'invalid_grant')
    expect((await asks(second.access_token)).status).toBe(401)
  })

  test('leaves what the user agreed to, so that a client begins again without asking', async () => {
    const own = await makeParty(api)
    const first = await obtain(own)
    await refresh(own, first.refresh_token)
    await refresh(own, first.refresh_token)
    expect((await asks((await obtain(own)).access_token)).status).toBe(200)
  })
})

describe('RFC 6749 §6: the scope of a refresh', () => {
  test('may be narrower, for that access token alone', async () => {
    const first = await obtain(party, 'rest:write ws:read')
    const narrow = tokensOf(await refresh(party, first.refresh_token, { scope: 'ws:read rest:read' }))
    expect(narrow.scope).toBe('ws:read rest:read')
    expect((await asks(narrow.access_token)).status).toBe(200)
    expect((await deletes(narrow.access_token)).headers.get('problem-code')).toBe('scope.missing')
    const narrowest = tokensOf(await refresh(party, narrow.refresh_token, { scope: 'rest:user:read' }))
    expect(narrowest.scope).toBe('rest:user:read')
    const whole = tokensOf(await refresh(party, narrowest.refresh_token))
    expect(whole.scope).toBe('rest:write ws:read')
    expect((await deletes(whole.access_token)).headers.get('problem-code')).toBe('session.unknown')
  })

  test.each([
    ['more than was granted', 'rest:read ws:read assistant'],
    ['what the application may have but was not granted', 'rest:read ws:write'],
    ['what implies what was granted', 'rest:write'],
    ['an unknown one', 'rest:read everything'],
    ['one with NUL', 'rest:read\u0000'],
    ['one in capitals', 'REST:READ'],
  ])('may not be %s, and the token stays good', async (_what, scope) => {
    const first = await obtain(party, 'rest:read ws:read')
    expectOAuthError(await refresh(party, first.refresh_token, { scope }), 400, 'invalid_scope')
    expect(tokensOf(await refresh(party, first.refresh_token)).scope).toBe('rest:read ws:read')
  })

  test('is without what the application has given up since', async () => {
    const own = await makeParty(api, { scopes: ['rest:read', 'ws:read'] })
    const register = (scopes: string) =>
      api.sql('update applications set scopes = $1 where client_id = $2', [`{${scopes}}`, own.application.clientId])
    const first = await obtain(own, 'rest:read ws:read')
    await register('ws:write')
    const second = tokensOf(await refresh(own, first.refresh_token))
    expect(second.scope).toBe('ws:read')
    expect((await asks(second.access_token)).headers.get('problem-code')).toBe('scope.missing')
    expectOAuthError(await refresh(own, second.refresh_token, { scope: 'rest:read' }), 400, 'invalid_scope')
    expectOAuthError(await refresh(own, second.refresh_token, { scope: 'ws:write' }), 400, 'invalid_scope')
    await register('assistant')
    expectOAuthError(await refresh(own, second.refresh_token), 400, 'invalid_grant')
    await register('rest:write,ws:write')
    const { scope } = tokensOf(await refresh(own, second.refresh_token))
    expect(scope.split(' ').every((word) => ['rest:read', 'ws:read'].includes(word))).toBe(true)
  })
})

describe('D24: a refresh token of a user who', () => {
  const mark = (tokens: TokenSet, assignment: string) =>
    api.sql(`update users set ${assignment} where guid = $1`, [userOf(tokens)])

  test('is banned gives nothing, and nothing when they are back', async () => {
    const own = await makeParty(api)
    const tokens = await obtain(own)
    const admin = await api.user({ globalRoles: ['role:owner'] })
    const set = async (banned: boolean) =>
      expect((await api.patch(`/admin/users/${userOf(tokens)}`, admin, { banned })).status).toBe(200)
    await set(true)
    expectOAuthError(await refresh(own, tokens.refresh_token), 400, 'invalid_grant')
    expect((await asks(tokens.access_token)).status).toBe(401)
    await set(false)
    expectOAuthError(await refresh(own, tokens.refresh_token), 400, 'invalid_grant')
    expect((await asks(tokens.access_token)).status).toBe(401)
    expect(await reuses(userOf(tokens), own.application.clientId)).toEqual([])
  })

  test('has given up their account gives nothing', async () => {
    const own = await makeParty(api)
    const tokens = await obtain(own)
    await mark(tokens, 'anonymised_at = now()')
    expectOAuthError(await refresh(own, tokens.refresh_token), 400, 'invalid_grant')
  })

  test('was banned stays refused, whatever they granted since', async () => {
    const own = await makeParty(api)
    const before = await obtain(own)
    await mark(before, `credentials_valid_from = now()`)
    const browser = (await makeParty(api)).browser
    const after = await obtain({ ...own, browser })
    expectOAuthError(await refresh(own, before.refresh_token), 400, 'invalid_grant')
    tokensOf(await refresh(own, after.refresh_token))
  })
})
