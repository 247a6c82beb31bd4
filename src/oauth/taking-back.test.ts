import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  callAs,
  challengeOf,
  decide,
  makeParty,
  obtain,
  type Party,
  redeem,
  refresh,
  requestOf,
  signInHere,
  type TokenSet,
  verifier,
} from '../../test/authorization.ts'
import type { Browser } from '../../test/browser.ts'
import { type Harness, startHarness } from '../../test/harness.ts'
import { makeApplication } from '../../test/make.ts'
import { expectOAuthError, expectPage } from '../../test/oauth-answers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const asks = ({ access_token: token }: TokenSet) => api.call('GET', '/users/@me/sessions', { token })

/** The user's own token, as the website gets it. */
const websiteToken = async (browser: Browser): Promise<string> => (await browser.post('/api/auth/token')).body.token

async function takeBack(party: Party): Promise<number> {
  const token = await websiteToken(party.browser)
  return (await api.call('DELETE', `/users/@me/sessions/${party.application.clientId}`, { token })).status
}

/** Everything that one user can have granted to one application: two families of tokens, and an unredeemed code. */
async function giveAll(
  party: Party,
): Promise<{ code: string; redeemNow: () => ReturnType<typeof redeem>; families: TokenSet[] }> {
  const secret = verifier()
  const pkce = { code_challenge: challengeOf(secret), code_challenge_method: 'S256' }
  const families = [await obtain(party), await obtain(party)]
  const code = (await authorize(party, pkce)).get('code') ?? ''
  return { code, families, redeemNow: () => redeem(party, code, { code_verifier: secret }) }
}

async function expectStanding(
  party: Party,
  { families, redeemNow }: Awaited<ReturnType<typeof giveAll>>,
): Promise<void> {
  for (const tokens of families) {
    expect((await asks(tokens)).status).toBe(200)
    expect((await refresh(party, tokens.refresh_token)).status).toBe(200)
  }
  expect((await redeemNow()).status).toBe(200)
}

describe.each(['confidential', 'public'] as const)('what a user takes back from a %s application', (type) => {
  test('ends: codes on their way, refresh tokens and access tokens, and that they agreed', async () => {
    const party = await makeParty(api, { type })
    const given = await giveAll(party)
    expect((await asks(given.families[0] as TokenSet)).status).toBe(200)
    expect(await takeBack(party)).toBe(204)
    for (const tokens of given.families) {
      const reply = await asks(tokens)
      expect([reply.status, reply.headers.get('problem-code')]).toEqual([401, 'token.invalid'])
      expectOAuthError(await refresh(party, tokens.refresh_token), 400, 'invalid_grant')
    }
    expectOAuthError(await given.redeemNow(), 400, 'invalid_grant')
    const pkce = { code_challenge: challengeOf(verifier()), code_challenge_method: 'S256' }
    expect((await party.browser.visit(requestOf(party, pkce))).status).toBe(200)
    expect(await takeBack(party)).toBe(404)
  })

  test('leaves what others gave it, and what the user gave to others', async () => {
    const party = await makeParty(api, { type })
    const elsewhere = { ...party, application: await makeApplication(api, await api.user(), { type }) }
    const theirs = { ...party, browser: await signInHere(api, `neighbour of a ${type} one`) }
    const [given, givenElsewhere, givenByThem] = [await giveAll(party), await giveAll(elsewhere), await giveAll(theirs)]
    expect(await takeBack(party)).toBe(204)
    expect((await given.redeemNow()).status).toBe(400)
    await expectStanding(elsewhere, givenElsewhere)
    await expectStanding(theirs, givenByThem)
  })
})

test('what was taken back can be given anew, and the old stays dead', async () => {
  const party = await makeParty(api)
  const before = await obtain(party)
  expect(await takeBack(party)).toBe(204)
  const after = await obtain(party)
  expect((await asks(after)).status).toBe(200)
  expect((await asks(before)).status).toBe(401)
  expectOAuthError(await refresh(party, before.refresh_token), 400, 'invalid_grant')
  expect((await asks(after)).status, 'nor does trying end the new').toBe(200)
})

test('an application that holds nothing any more is on the list as long as it need not ask again', async () => {
  const party = await makeParty(api)
  const own = await websiteToken(party.browser)
  const listed = async () => (await api.call('GET', '/users/@me/sessions', { token: own })).body.applications
  expect(await listed()).toEqual([])
  const tokens = await obtain(party)
  const { clientId } = party.application
  const granted = { clientId, scopes: ['rest:read'], lastIssuedAt: expect.any(String), expiresAt: expect.any(String) }
  expect(await listed()).toMatchObject([granted])
  expect((await callAs(party, '/oauth/revoke', { token: tokens.refresh_token })).status).toBe(200)
  expect((await asks(tokens)).status).toBe(401)
  expect(await listed()).toMatchObject([{ ...granted, lastIssuedAt: null, expiresAt: null }])
  expect((await obtain(party)).scope).toBe('rest:read')
  expect(await listed()).toMatchObject([granted])
  expect(await takeBack(party)).toBe(204)
  expect(await listed()).toEqual([])
})

describe('what a deleted application was given', () => {
  async function deleted(party: Party): Promise<void> {
    const owner = await api.user()
    const { clientId } = party.application
    await api.sql('update applications set owner_guid = $1 where client_id = $2', [owner.guid, clientId])
    expect((await api.delete(`/oauth/applications/${clientId}`, owner)).status).toBe(204)
  }

  test('ends with it', async () => {
    const party = await makeParty(api)
    const given = await giveAll(party)
    const shown = await party.browser.visit(requestOf(party, { scope: 'ws:read' }))
    expect(shown.status).toBe(200)
    await deleted(party)
    for (const tokens of given.families) {
      expect((await asks(tokens)).status).toBe(401)
      expectOAuthError(await refresh(party, tokens.refresh_token), 401, 'invalid_client')
    }
    expectOAuthError(await given.redeemNow(), 401, 'invalid_client')
    expectPage(await decide(party.browser, shown, 'approve'), 400, 'client.unknown')
    expectPage(await party.browser.visit(requestOf(party)), 400, 'client.unknown')
  })

  test('is no other application’s', async () => {
    const [party, heir] = [await makeParty(api), await makeParty(api)]
    const given = await giveAll(party)
    await deleted(party)
    expectOAuthError(await redeem(heir, given.code), 400, 'invalid_grant')
    for (const tokens of given.families) {
      expectOAuthError(await refresh(heir, tokens.refresh_token), 400, 'invalid_grant')
    }
  })
})
