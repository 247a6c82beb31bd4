import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  challengeOf,
  decide,
  makeParty,
  type Party,
  requestOf,
  signInHere,
  verifier,
} from '../../../test/authorization.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { type ApplicationOptions, makeApplication } from '../../../test/make.ts'
import { answerOf } from '../../../test/oauth-answers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const pkce = { code_challenge: challengeOf(verifier()), code_challenge_method: 'S256' }

/** Whether the user is asked for these scopes; if not, the application has its code already. */
async function isAsked(party: Party, scope: string): Promise<boolean> {
  const hop = await party.browser.visit(requestOf(party, { scope, ...pkce }))
  if (hop.status === 200) return true
  expect(answerOf(hop, party.redirectUri)).toHaveProperty('code')
  return false
}

const agreeTo = (party: Party, scope: string) => authorize(party, { scope, ...pkce })

describe('RFC 6749 §10.2: what a user has agreed to', () => {
  const all = { scopes: ['rest:write', 'ws:write', 'assistant', 'compsystem'] } satisfies ApplicationOptions
  const asked: [string, string, boolean][] = [
    ['the same', 'rest:read ws:read', false],
    ['the same in another order', 'ws:read rest:read', false],
    ['the same twice', 'rest:read rest:read ws:read', false],
    ['fewer', 'ws:read', false],
    ['what is implied by it', 'rest:user:read', false],
    ['more', 'rest:read ws:read assistant', true],
    ['other', 'assistant', true],
    ['what implies it', 'ws:write', true],
    ['what implies more than it', 'rest:user:write', true],
    ['all of the application’s', '', true],
  ]

  test.each(asked)('asked for %s', async (_what, scope, expected) => {
    const party = await makeParty(api, all)
    expect(await isAsked(party, 'rest:read ws:read')).toBe(true)
    await agreeTo(party, 'rest:read ws:read')
    expect(await isAsked(party, scope)).toBe(expected)
  })

  test('adds up over time, and a refusal takes nothing of it away', async () => {
    const party = await makeParty(api, all)
    await agreeTo(party, 'ws:read')
    await agreeTo(party, 'rest:user:write')
    const shown = await party.browser.visit(requestOf(party, { scope: 'assistant' }))
    expect(answerOf(await decide(party.browser, shown, 'deny'), party.redirectUri).error).toBe('access_denied')
    expect(await isAsked(party, 'ws:read rest:user:write')).toBe(false)
    expect(await isAsked(party, 'assistant')).toBe(true)
  })

  test('goes for that user and that application alone', async () => {
    const party = await makeParty(api, all)
    await agreeTo(party, 'rest:read')
    const application = await makeApplication(api, await api.user(), all)
    expect(await isAsked({ ...party, application }, 'rest:read')).toBe(true)
    expect(await isAsked({ ...party, browser: await signInHere(api, 'somebody else') }, 'rest:read')).toBe(true)
    expect(await isAsked(party, 'rest:read')).toBe(false)
  })

  test('does not go for what an application has since registered beside it', async () => {
    const party = await makeParty(api, { scopes: ['rest:read'] })
    await agreeTo(party, '')
    expect(await isAsked(party, '')).toBe(false)
    const widen = `update applications set scopes = '{rest:read,ws:read}' where client_id = $1`
    await api.sql(widen, [party.application.clientId])
    expect(await isAsked(party, '')).toBe(true)
    expect(await isAsked(party, 'rest:read')).toBe(false)
  })

  test('is kept for a page that was only shown as little as for a code that nobody redeemed', async () => {
    const party = await makeParty(api, all)
    expect(await isAsked(party, 'rest:read')).toBe(true)
    expect(await isAsked(party, 'rest:read')).toBe(true)
    await agreeTo(party, 'rest:read')
    await api.sql('delete from authorization_codes where client_id = $1', [party.application.clientId])
    expect(await isAsked(party, 'rest:read')).toBe(false)
  })
})

describe('RFC 8252 §8.6: where any program could pass as the application', () => {
  const https = 'https://native.example/callback'
  const kinds: [string, ApplicationOptions, boolean][] = [
    ['a public one on localhost', { type: 'public', redirectUris: ['http://localhost:9/cb'] }, true],
    ['a public one on 127.0.0.1', { type: 'public', redirectUris: ['http://127.0.0.1/cb'] }, true],
    ['a public one on [::1]', { type: 'public', redirectUris: ['http://[::1]:80/cb'] }, true],
    ['a public one in the local network', { type: 'public', redirectUris: ['http://headset.local/cb'] }, true],
    ['a public one with both kinds, by http', { type: 'public', redirectUris: ['http://localhost/cb', https] }, true],
    ['a public one with both kinds, by https', { type: 'public', redirectUris: [https, 'http://localhost/cb'] }, false],
    ['a public one on localhost by https', { type: 'public', redirectUris: ['https://localhost/cb'] }, false],
    ['a confidential one on localhost', { type: 'confidential', redirectUris: ['http://localhost:9/cb'] }, false],
  ]

  test.each(kinds)('%s', async (_what, options, expected) => {
    const party = await makeParty(api, options)
    for (let times = 0; times < 2; times++) {
      await agreeTo(party, 'rest:read')
      expect(await isAsked(party, 'rest:read')).toBe(expected)
    }
  })

  test('having agreed for the https address does not go for the http one', async () => {
    const party = await makeParty(api, { type: 'public', redirectUris: [https, 'http://localhost:7/cb'] })
    await agreeTo(party, 'rest:read')
    expect(await isAsked(party, 'rest:read')).toBe(false)
    expect(await isAsked({ ...party, redirectUri: 'http://localhost:7/cb' }, 'rest:read')).toBe(true)
  })
})
