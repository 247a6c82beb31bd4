import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  callAs,
  makeParty,
  obtain,
  type Party,
  redeem,
  refresh,
  type TokenSet,
} from '../../../test/authorization.ts'
import { digestOf } from '../../../test/device.ts'
import { type Harness, outcome, startHarness } from '../../../test/harness.ts'
import { oauthOutcome } from '../../../test/oauth-answers.ts'
import { timely } from '../../../test/waiting.ts'

/** How clients revoke their tokens, by RFC 7009, so that they are invalid everywhere. (D17) */

let api: Harness
let sibling: Harness
let confidential: Party
let open: Party
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  confidential = await makeParty(api)
  open = await makeParty(api, { type: 'public', redirectUris: ['http://127.0.0.1:8091/callback'] })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const revoke = (
  party: Pick<Party, 'api' | 'application'>,
  token: string,
  more: Readonly<Record<string, string>> = {},
) => callAs(party, '/oauth/revoke', { token, ...more })
const bearer = async (token: string, at = api) => (await at.call('GET', '/users/@me', { token })).status
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const renewed = async (party: Party, tokens: TokenSet): Promise<TokenSet> =>
  (await refresh(party, tokens.refresh_token)).body

const gone = [400, 'invalid_grant', 'grant.invalid']

describe.each([
  ['confidential', () => confidential],
  ['public', () => open],
] as const)('§2.1 a revocation request of a %s client', (_type, party) => {
  test('for an access token ends that one alone', async () => {
    const first = await obtain(party())
    const second = await renewed(party(), first)
    const reply = await revoke(party(), first.access_token)
    expect([reply.status, reply.body]).toEqual([200, {}])
    expect([reply.headers.get('cache-control'), reply.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
    expect([await bearer(first.access_token), await bearer(second.access_token)]).toEqual([401, 200])
    expect((await refresh(party(), second.refresh_token)).status).toBe(200)
  })

  test('for a refresh token ends everything of its grant, and of no other', async () => {
    const other = await obtain(party())
    const first = await obtain(party())
    const second = await renewed(party(), first)
    expect((await revoke(party(), second.refresh_token)).status).toBe(200)
    for (const { access_token } of [first, second]) expect(await bearer(access_token)).toBe(401)
    expect(oauthOutcome(await refresh(party(), second.refresh_token))).toEqual(gone)
    expect(await bearer(other.access_token)).toBe(200)
    expect((await refresh(party(), other.refresh_token)).status).toBe(200)
  })

  test('for a refresh token that was used before ends the grant too: the client may not have had the answer', async () => {
    const first = await obtain(party())
    const second = await renewed(party(), first)
    expect((await revoke(party(), first.refresh_token)).status).toBe(200)
    expect(await bearer(second.access_token)).toBe(401)
    expect(oauthOutcome(await refresh(party(), second.refresh_token))).toEqual(gone)
  })

  test.each(['access_token', 'refresh_token', 'something_else'])(
    'finds the token whatever the hint: %s',
    async (hint) => {
      const tokens = await obtain(party())
      expect((await revoke(party(), tokens.access_token, { token_type_hint: hint })).status).toBe(200)
      expect(await bearer(tokens.access_token)).toBe(401)
      expect((await revoke(party(), tokens.refresh_token, { token_type_hint: hint })).status).toBe(200)
      expect(oauthOutcome(await refresh(party(), tokens.refresh_token))).toEqual(gone)
    },
  )

  test('for the token of another client is refused, and leaves it as it was', async () => {
    const victim = await makeParty(api)
    const tokens = await obtain(victim)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(oauthOutcome(await revoke(party(), token))).toEqual([400, 'invalid_grant', 'token.of_another'])
    }
    expect(await bearer(tokens.access_token)).toBe(200)
    expect((await refresh(victim, tokens.refresh_token)).status).toBe(200)
  })

  test('for a token that no client was given is refused too', async () => {
    const { token } = await api.user()
    expect(oauthOutcome(await revoke(party(), token))).toEqual([400, 'invalid_grant', 'token.of_another'])
    expect(await bearer(token)).toBe(200)
  })

  test('needs a token, given once', async () => {
    expect(oauthOutcome(await callAs(party(), '/oauth/revoke', {}))).toEqual([
      400,
      'invalid_request',
      'parameter.missing',
    ])
    expect(oauthOutcome(await revoke(party(), ''))).toEqual([400, 'invalid_request', 'parameter.missing'])
    expect(oauthOutcome(await revoke(party(), 'x'.repeat(8_193)))).toEqual([
      400,
      'invalid_request',
      'parameter.overlong',
    ])
    const { clientId } = open.application
    const twice = await send(`client_id=${clientId}&token=a&token=b`)
    expect(oauthOutcome(twice)).toEqual([400, 'invalid_request', 'parameter.repeated'])
  })
})

const send = (raw: string, headers: Readonly<Record<string, string>> = {}) =>
  api.call('POST', '/oauth/revoke', {
    raw,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

describe('§2.1 client authentication', () => {
  test('comes first: without it nothing is ended', async () => {
    const { access_token, refresh_token } = await obtain(confidential)
    const { clientId, clientSecret } = confidential.application
    const as = (id: string, secret: string | null) => ({ api, application: { clientId: id, clientSecret: secret } })
    for (const token of [access_token, refresh_token]) {
      const refused = [
        await revoke(as(clientId, 'a guess'), token),
        await revoke(as(clientId, null), token),
        await revoke(as('nobody', 'a guess'), token),
        await revoke(as(open.application.clientId, clientSecret), token),
      ]
      for (const reply of refused) expect(oauthOutcome(reply)).toEqual([401, 'invalid_client', 'client.refused'])
      expect(oauthOutcome(await send(`token=${token}`))).toEqual([401, 'invalid_client', 'client.missing'])
      expect(oauthOutcome(await send(`token=${token}`, { authorization: `Bearer ${token}` }))).toEqual([
        401,
        'invalid_client',
        'client.malformed',
      ])
      expect(oauthOutcome(await revoke(confidential, token, { client_secret: clientSecret ?? '' }))).toEqual([
        401,
        'invalid_client',
        'client.secret_in_body',
      ])
    }
    expect(await bearer(access_token)).toBe(200)
    expect((await refresh(confidential, refresh_token)).status).toBe(200)
  })

  test('a request in another form than a form is refused', async () => {
    const reply = await send('{"token":"x"}', { 'content-type': 'application/json' })
    expect([reply.status, reply.headers.get('problem-code')]).toEqual([415, 'request.unsupported_type'])
  })
})

describe('§2.2 a token that needs no ending is answered alike', () => {
  test.each(['garbage', 'a.b.c', 'ü', '\u0000', 'x'.repeat(8_192)])('%j', async (token) => {
    const reply = await revoke(confidential, token)
    expect([reply.status, reply.text]).toEqual([200, '{}'])
  })

  test('as one that was ended before, again and again', async () => {
    const tokens = await obtain(confidential)
    for (let times = 0; times < 3; times++) {
      expect((await revoke(confidential, tokens.access_token)).status).toBe(200)
    }
    for (let times = 0; times < 3; times++) {
      expect((await revoke(confidential, tokens.refresh_token)).status).toBe(200)
      expect((await revoke(confidential, tokens.access_token)).status).toBe(200)
    }
    const events = await api.sql<{ type: string }>(
      `select type from event_log where subject in ($1, (select grant_guid from access_tokens where jti = $1)) order by seq`,
      [claimsOf(tokens.access_token).jti],
    )
    expect(events.map(({ type }) => type)).toEqual(['token.revoked', 'grant.revoked'])
  })

  test('as one that has expired', async () => {
    const tokens = await obtain(confidential)
    const { kid, privateKey } = api.app.services.keys.current
    const expired = await new SignJWT({ ...claimsOf(tokens.access_token), exp: Math.floor(Date.now() / 1000) - 1 })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(privateKey)
    expect((await revoke(confidential, expired)).status).toBe(200)
    expect(await bearer(tokens.access_token)).toBe(200)
    await api.sql(`update refresh_tokens set expires_at = now() - interval '1 s' where token_hash = $1`, [
      digestOf(tokens.refresh_token),
    ])
    expect((await revoke(confidential, tokens.refresh_token)).status).toBe(200)
  })

  test('as an authorization code, which is no token', async () => {
    const code = (await authorize(confidential)).get('code') ?? ''
    expect((await revoke(confidential, code)).status).toBe(200)
    expect((await redeem(confidential, code)).status).toBe(200)
  })
})

describe('D17 from the answer on', () => {
  test('an ended token is refused with the challenge of a token that is no good', async () => {
    const { access_token } = await obtain(confidential)
    await revoke(confidential, access_token)
    const reply = await api.call('GET', '/users/@me', { token: access_token })
    expect([reply.status, reply.headers.get('problem-code')]).toEqual([401, 'token.invalid'])
    expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test.each<['access_token' | 'refresh_token', string, string]>([
    ['access_token', 'this process', 'the other'],
    ['refresh_token', 'this process', 'the other'],
    ['access_token', 'the other', 'this process'],
    ['refresh_token', 'the other', 'this process'],
  ])('an ended %s, by %s, counts no more at %s, where it was just seen to be good', async (which, at) => {
    const [here, there] = at === 'this process' ? [api, sibling] : [sibling, api]
    const attempt = async () => {
      const tokens = await obtain(confidential)
      for (const service of [here, there, there]) expect(await bearer(tokens.access_token, service)).toBe(200)
      expect((await revoke({ ...confidential, api: here }, tokens[which])).status).toBe(200)
      const startedAt = performance.now()
      expect([await bearer(tokens.access_token, there), await bearer(tokens.access_token, here)]).toEqual([401, 401])
      return performance.now() - startedAt
    }
    for (let round = 0; round < 3; round++) expect(await timely(1_000, attempt)).toBeLessThan(1_000)
  })

  test('a command is judged by what its token is worth now, though its records are looked up meanwhile', async () => {
    const nowhere = `/tournaments/${randomUUID()}/teams`
    const told = async (token: string, path = '/users/@me/notifications/read', body = {}) =>
      outcome(await sibling.call('POST', path, { token, body }))
    for (let round = 0; round < 3; round++) {
      const { access_token: token } = await obtain(confidential, 'rest:write')
      const seen = [await told(token), await told(token), await told(token, nowhere)]
      expect(seen).toEqual([
        [400, 'notification.target_unclear'],
        [400, 'notification.target_unclear'],
        [400, 'tournament.unknown'],
      ])
      await revoke(confidential, token)
      const refused = await Promise.all([told(token, nowhere), told(token), told(token, nowhere)])
      expect(refused).toEqual(Array(3).fill([401, 'token.invalid']))
      expect(await told(token)).toEqual([401, 'token.invalid'])
    }
  })

  test('ending a refresh token while it is used leaves nothing that counts, whichever comes first', async () => {
    for (let round = 0; round < 6; round++) {
      const first = await obtain(confidential)
      const [ended, used] = await Promise.all([
        revoke({ ...confidential, api: round % 2 === 0 ? api : sibling }, first.refresh_token),
        refresh(confidential, first.refresh_token),
      ])
      expect(ended.status).toBe(200)
      expect(await bearer(first.access_token)).toBe(401)
      if (used.status === 200) {
        expect(await bearer(used.body.access_token)).toBe(401)
        expect(oauthOutcome(await refresh(confidential, used.body.refresh_token))).toEqual(gone)
      } else expect(oauthOutcome(used)).toEqual(gone)
    }
  })
})
