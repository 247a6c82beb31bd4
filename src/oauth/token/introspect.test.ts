import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorize, callAs, makeParty, obtain, type Party, refresh } from '../../../test/authorization.ts'
import { digestOf } from '../../../test/device.ts'
import { type Caller, type Harness, startHarness } from '../../../test/harness.ts'
import { oauthOutcome } from '../../../test/oauth-answers.ts'

/** Token introspection for confidential clients: RFC 7662. */

let api: Harness
let sibling: Harness
let party: Party
let other: Party
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  party = await makeParty(api)
  other = await makeParty(api)
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const introspect = (client: Pick<Party, 'api' | 'application'>, token: string, more: Record<string, string> = {}) =>
  callAs(client, '/oauth/introspect', { token, ...more })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Expects an answer that says only that the token is inactive. (§2.2) */
async function expectInactive(token: string, client: Pick<Party, 'api' | 'application'> = party): Promise<void> {
  const reply = await introspect(client, token)
  expect([reply.status, reply.text]).toEqual([200, '{"active":false}'])
  expect([reply.headers.get('cache-control'), reply.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
}

describe('§2.2 an access token', () => {
  test('is told to whoever accepts tokens of the service, as its claims have it', async () => {
    const { access_token } = await obtain(party, 'rest:read ws:read')
    const { iss, aud, sub, exp, iat, nbf, jti, username } = claimsOf(access_token)
    for (const client of [party, other, { ...other, api: sibling }]) {
      const reply = await introspect(client, access_token)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect([reply.headers.get('cache-control'), reply.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
      expect(reply.body).toEqual({
        active: true,
        scope: 'rest:read ws:read',
        client_id: party.application.clientId,
        username,
        token_type: 'Bearer',
        exp,
        iat,
        nbf,
        sub,
        aud,
        iss,
        jti,
      })
    }
    expect([iss, aud]).toEqual([api.app.config.publicUrl, api.app.config.publicUrl])
  })

  test('that no application was given names none', async () => {
    const user = await api.user()
    const { body } = await introspect(party, user.token)
    expect(body).toMatchObject({ active: true, sub: user.guid, username: user.username, scope: 'rest:write ws:write' })
    expect(body).not.toHaveProperty('client_id')
  })

  test('is found whatever the hint', async () => {
    const { access_token } = await obtain(party)
    for (const token_type_hint of ['access_token', 'refresh_token', 'pigeon']) {
      expect((await introspect(party, access_token, { token_type_hint })).body.active).toBe(true)
    }
  })
})

describe('§2.2 a refresh token', () => {
  test('is told to the client alone that it was given to', async () => {
    const { access_token, refresh_token } = await obtain(party, 'rest:read')
    const { sub, username } = claimsOf(access_token)
    const before = Math.floor(Date.now() / 1000)
    const { body } = await introspect(party, refresh_token)
    const { exp, ...rest } = body
    expect(rest).toEqual({
      active: true,
      scope: 'rest:read',
      client_id: party.application.clientId,
      username,
      sub,
      iss: api.app.config.publicUrl,
    })
    // 180 days from issue. (D22)
    expect(Math.abs(exp - before - 15_552_000)).toBeLessThanOrEqual(5)
    await expectInactive(refresh_token, other)
  })

  test('is as good as before when it has been asked about', async () => {
    const { refresh_token } = await obtain(party)
    for (let times = 0; times < 3; times++) await introspect(party, refresh_token)
    expect((await refresh(party, refresh_token)).status).toBe(200)
  })
})

describe('§2.2 nothing is told of', () => {
  test.each(['garbage', 'a.b.c', 'ü', '\u0000', 'x'.repeat(8_192)])('what is no token: %j', async (token) => {
    await expectInactive(token)
  })

  test('an authorization code', async () => {
    await expectInactive((await authorize(party)).get('code') ?? '')
  })

  test('an access token that was ended, on any process', async () => {
    const { access_token, refresh_token } = await obtain(party)
    for (const service of [api, sibling]) {
      expect((await introspect({ ...party, api: service }, access_token)).body.active).toBe(true)
    }
    await callAs(party, '/oauth/revoke', { token: access_token })
    for (const service of [sibling, api]) await expectInactive(access_token, { ...party, api: service })
    expect((await introspect(party, refresh_token)).body.active).toBe(true)
  })

  test('the tokens of a grant that was ended', async () => {
    const { access_token, refresh_token } = await obtain(party)
    await callAs(party, '/oauth/revoke', { token: refresh_token })
    for (const service of [sibling, api]) {
      await expectInactive(access_token, { ...party, api: service })
      await expectInactive(refresh_token, { ...party, api: service })
    }
  })

  test('a refresh token that was used', async () => {
    const { refresh_token } = await obtain(party)
    const renewed = (await refresh(party, refresh_token)).body
    await expectInactive(refresh_token)
    expect((await introspect(party, renewed.refresh_token)).body.active).toBe(true)
  })

  test('tokens that have expired', async () => {
    const { access_token, refresh_token } = await obtain(party)
    const { kid, privateKey } = api.app.services.keys.current
    const expired = await new SignJWT({ ...claimsOf(access_token), exp: Math.floor(Date.now() / 1000) - 1 })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(privateKey)
    await expectInactive(expired)
    await api.sql(`update refresh_tokens set expires_at = now() - interval '1 s' where token_hash = $1`, [
      digestOf(refresh_token),
    ])
    await expectInactive(refresh_token)
  })

  test('an access token with another signature, or other claims', async () => {
    const { access_token } = await obtain(party)
    const [header, , signature] = access_token.split('.')
    const widened = Buffer.from(JSON.stringify({ ...claimsOf(access_token), scope: 'rest:write' })).toString(
      'base64url',
    )
    await expectInactive(`${header}.${widened}.${signature}`)
    await expectInactive(access_token.slice(0, -4))
  })

  test('tokens of a user who is banned, and none from before once they are back', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const victim = await makeParty(api)
    const { access_token, refresh_token } = await obtain(victim)
    const { sub } = claimsOf(access_token)
    expect((await introspect(victim, access_token)).body.active).toBe(true)
    for (const banned of [true, false]) {
      expect((await api.patch(`/admin/users/${sub}`, owner, { banned })).status).toBe(200)
      for (const service of [sibling, api]) {
        await expectInactive(access_token, { ...victim, api: service })
        await expectInactive(refresh_token, { ...victim, api: service })
      }
    }
  })

  test('tokens of a user who gave up their account', async () => {
    const departing = await makeParty(api)
    const { access_token, refresh_token } = await obtain(departing)
    const guid = claimsOf(access_token).sub
    const token = await api.token({ guid }, ['rest:write'])
    expect((await api.delete('/users/@me', { token } as Caller)).status).toBe(204)
    await expectInactive(access_token, departing)
    await expectInactive(refresh_token, departing)
    await expectInactive(token)
  })

  test('tokens that the user has taken back', async () => {
    const { access_token, refresh_token } = await obtain(party)
    const token = await api.token({ guid: claimsOf(access_token).sub }, ['rest:write'])
    const { clientId } = party.application
    expect((await api.delete(`/users/@me/sessions/${clientId}`, { token } as Caller)).status).toBe(204)
    await expectInactive(access_token)
    await expectInactive(refresh_token)
  })

  test('tokens of an application that was deleted, to the others', async () => {
    const owner = await api.user()
    const deleted = await makeParty(api)
    const { clientId } = deleted.application
    await api.sql('update applications set owner_guid = $1 where client_id = $2', [owner.guid, clientId])
    const { access_token } = await obtain(deleted)
    expect((await introspect(party, access_token)).body.active).toBe(true)
    expect((await api.delete(`/oauth/applications/${clientId}`, owner)).status).toBe(204)
    await expectInactive(access_token)
    await expectInactive(access_token, { ...party, api: sibling })
    expect(oauthOutcome(await introspect(deleted, access_token))).toEqual([401, 'invalid_client', 'client.refused'])
  })
})

describe('§2.1, §2.3, §4 whoever asks', () => {
  const send = (raw: string, headers: Readonly<Record<string, string>> = {}) =>
    api.call('POST', '/oauth/introspect', {
      raw,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  test('must be a client that can keep a secret', async () => {
    const open = await makeParty(api, { type: 'public', redirectUris: ['http://127.0.0.1:8091/callback'] })
    const { access_token } = await obtain(open)
    const reply = await introspect(open, access_token)
    expect(oauthOutcome(reply)).toEqual([401, 'invalid_client', 'client.public'])
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(reply.text).not.toContain('active')
  })

  test('must prove that: neither a token nor a guess does', async () => {
    const { access_token } = await obtain(party)
    const { clientId } = party.application
    const as = (clientSecret: string | null) => ({ api, application: { clientId, clientSecret } })
    for (const secret of ['a guess', null]) {
      expect(oauthOutcome(await introspect(as(secret), access_token))).toEqual([
        401,
        'invalid_client',
        'client.refused',
      ])
    }
    expect(oauthOutcome(await send(`token=${access_token}`))).toEqual([401, 'invalid_client', 'client.missing'])
    const withToken = await send(`token=${access_token}`, { authorization: `Bearer ${access_token}` })
    expect(oauthOutcome(withToken)).toEqual([401, 'invalid_client', 'client.malformed'])
  })

  test('must say about which token, once, in a form', async () => {
    expect(oauthOutcome(await callAs(party, '/oauth/introspect', {}))).toEqual([
      400,
      'invalid_request',
      'parameter.missing',
    ])
    const { clientId, clientSecret } = party.application
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const twice = await send('token=a&token=b', { authorization })
    expect(oauthOutcome(twice)).toEqual([400, 'invalid_request', 'parameter.repeated'])
    const asQuery = await api.call('POST', '/oauth/introspect?token=a', { headers: { authorization } })
    expect(oauthOutcome(asQuery)).toEqual([400, 'invalid_request', 'parameter.missing'])
    const json = await send('{"token":"a"}', { authorization, 'content-type': 'application/json' })
    expect([json.status, json.headers.get('problem-code')]).toEqual([415, 'request.unsupported_type'])
  })
})
