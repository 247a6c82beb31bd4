import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  allow,
  authorize,
  decide,
  makeParty,
  obtain,
  type Party,
  redeem,
  refresh,
  requestOf,
} from '../../../test/authorization.ts'
import { beginDevice, decideDevice, letPass, poll } from '../../../test/device.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { expectOAuthError, expectPage } from '../../../test/oauth-answers.ts'

/** Tokens for assistants are also read by other servers, which know each scope by another name. (AS2) */

let api: Harness
let party: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api, { scopes: ['rest:read', 'assistant', 'assistant:game'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** A party with the same application and another user. */
async function freshParty(): Promise<{ party: Party; userGuid: string }> {
  const fresh = await makeParty(api, { scopes: ['rest:read', 'assistant', 'assistant:game'] })
  const { token } = (await fresh.browser.post('/api/auth/token')).body
  return { party: fresh, userGuid: claimsOf(token).sub }
}

let accounts = 0
const link = async (userGuid: string, platform: string, isVerified = true) => {
  const externalId = `7656119${String(++accounts).padStart(10, '0')}`
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, $4)', [
    userGuid,
    platform,
    externalId,
    isVerified ? new Date() : null,
  ])
  return externalId
}

test('`assistant` is told by both its names, and counts here by its own', async () => {
  const { access_token: token, scope, refresh_token: next } = await obtain(party, 'rest:read assistant')
  expect(scope).toBe('rest:read assistant')
  const claims = claimsOf(token)
  expect(claims).toMatchObject({
    scope: 'rest:read assistant',
    scopes: ['rest:read', 'assistant', 'tournamentassistant'],
    aud: api.app.config.publicUrl,
  })
  expect(claims).not.toHaveProperty('platform')
  expect(claims).not.toHaveProperty('platformId')
  expect((await api.call('GET', '/users/@me', { token })).status).toBe(200)
  const renewed = await refresh(party, next)
  expect(claimsOf(renewed.body.access_token).scopes).toEqual(['rest:read', 'assistant', 'tournamentassistant'])
  const fewer = await refresh(party, renewed.body.refresh_token, { scope: 'rest:read' })
  expect(claimsOf(fewer.body.access_token).scopes).toEqual(['rest:read'])
})

test('what the website holds names nothing of it', async () => {
  const user = await api.user()
  expect(claimsOf(user.token).scopes).toEqual(['rest:write', 'ws:write'])
})

describe('`assistant:game`', () => {
  test.each([
    ['ranking-a', 'scoresaber'],
    ['ranking-b', 'beatleader'],
  ])('names the verified account at %s', async (linked, platform) => {
    const { party: own, userGuid } = await freshParty()
    const platformId = await link(userGuid, linked)
    const { access_token: token } = await obtain(own, 'assistant:game')
    expect(claimsOf(token)).toMatchObject({
      scope: 'assistant:game',
      scopes: ['assistant:game', 'tournamentassistant:game'],
      platform,
      platformId,
      aud: api.app.config.publicUrl,
    })
  })

  test('names platform A’s before platform B’s, and both scopes beside', async () => {
    const { party: own, userGuid } = await freshParty()
    await link(userGuid, 'ranking-b')
    const platformId = await link(userGuid, 'ranking-a')
    const { access_token: token } = await obtain(own, 'assistant assistant:game')
    expect(claimsOf(token)).toMatchObject({
      scopes: ['assistant', 'assistant:game', 'tournamentassistant', 'tournamentassistant:game'],
      platform: 'scoresaber',
      platformId,
    })
  })

  test('is refused to whoever has proven no account, before they are asked', async () => {
    const { party: own, userGuid } = await freshParty()
    await link(userGuid, 'ranking-a', false)
    await link(userGuid, 'streaming')
    for (const scope of ['assistant:game', 'assistant assistant:game']) {
      const { searchParams } = await allow(own.browser, requestOf(own, { scope }))
      expect(searchParams.get('error')).toBe('invalid_scope')
      expect(searchParams.get('code')).toBeNull()
    }
    expect((await authorize(own, { scope: 'assistant' })).get('code')).not.toBeNull()
    expect(await api.sql(`select scopes from consents where user_guid = $1`, [userGuid])).toEqual([
      { scopes: ['assistant'] },
    ])
  })

  test('is refused where the account goes while they decide, and where it goes later', async () => {
    const { party: own, userGuid } = await freshParty()
    const unlink = () => api.sql('delete from identities where user_guid = $1', [userGuid])
    await link(userGuid, 'ranking-a')
    const shown = await own.browser.visit(requestOf(own, { scope: 'assistant:game' }))
    await unlink()
    const decided = await decide(own.browser, shown, 'approve')
    expect(new URL(decided.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope')

    const first = await link(userGuid, 'ranking-a')
    const { searchParams } = await allow(own.browser, requestOf(own, { scope: 'assistant:game' }))
    const code = searchParams.get('code') ?? ''
    await unlink()
    expectOAuthError(await redeem(own, code), 400, 'invalid_scope')
    // The code was not used up: with an account it is valid.
    const second = await link(userGuid, 'ranking-a')
    const { access_token: token, refresh_token: next } = (await redeem(own, code)).body
    expect(claimsOf(token).platformId).toBe(second)
    expect(second).not.toBe(first)

    await unlink()
    expectOAuthError(await refresh(own, next), 400, 'invalid_scope')
    const third = await link(userGuid, 'ranking-a')
    expect(claimsOf((await refresh(own, next)).body.access_token).platformId).toBe(third)
  })

  test('of a device is refused on the page where the player decides, who may come back with an account', async () => {
    const { party: own, userGuid } = await freshParty()
    const waiting = await beginDevice(own, { scope: 'assistant:game' })
    expectPage(await decideDevice(own.browser, waiting), 400, 'scope.no_game_account')
    expectOAuthError(await poll(own, waiting), 400, 'authorization_pending')
    await letPass(api, waiting, 10)
    const platformId = await link(userGuid, 'ranking-b')
    expect((await decideDevice(own.browser, waiting)).status).toBe(200)
    await api.sql('delete from identities where user_guid = $1', [userGuid])
    expectOAuthError(await poll(own, waiting), 400, 'invalid_scope')
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', $2, now())`,
      [userGuid, platformId],
    )
    await letPass(api, waiting, 10)
    const { body } = await poll(own, waiting)
    expect(claimsOf(body.access_token)).toMatchObject({ platform: 'beatleader', platformId })
  })
})
