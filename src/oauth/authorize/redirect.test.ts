import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorize, makeParty, type Party, redeem, requestOf } from '../../../test/authorization.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { answerOf, expectOAuthError, expectPage } from '../../../test/oauth-answers.ts'

const web = 'https://client.example/call/back'
const withQuery = 'https://client.example/callback?app=1&x=y'
const withPort = 'https://client.example:8443/callback'
const bare = 'https://bare.example'
const loopback = 'http://127.0.0.1:8910/callback'
const loopback6 = 'http://[::1]:8910/callback'
const localhost = 'http://localhost:3000/callback'
const registered = [web, withQuery, withPort, bare, loopback, loopback6, localhost]

let api: Harness
let party: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api, { redirectUris: registered })
  await authorize(party)
})
afterAll(() => api[Symbol.asyncDispose]())

const others: readonly [string, string][] = [
  ['a slash more', `${web}/`],
  ['a slash less', web.replace('/back', '')],
  ['a slash behind a bare host', `${bare}/`],
  ['a doubled slash', web.replace('/call', '//call')],
  ['a path below', `${web}/deeper`],
  ['a path that only begins alike', `${web}s`],
  ['another case of the path', web.replace('back', 'Back')],
  ['another case of the scheme', web.replace('https', 'HTTPS')],
  ['another case of the host', web.replace('client', 'Client')],
  ['a letter of the path encoded', web.replace('back', '%62ack')],
  ['a slash of the path encoded', web.replace('/back', '%2Fback')],
  ['the address encoded twice', encodeURIComponent(web)],
  ['a letter of the host encoded', web.replace('client', '%63lient')],
  ['user information', web.replace('https://', 'https://user@')],
  ['empty user information', web.replace('https://', 'https://@')],
  ['the host as user information', web.replace('client.example', 'client.example@evil.example')],
  ['the host as user and password', web.replace('client.example', 'client.example:443@evil.example')],
  ['a host below another', web.replace('client.example', 'client.example.evil.example')],
  ['a host above', web.replace('client.example', 'evil.client.example')],
  ['a host with a dot at its end', web.replace('client.example', 'client.example.')],
  ['a host of letters that look alike', web.replace('client', 'cl\u0456ent')],
  ['a parameter more', `${web}?x=1`],
  ['an empty query', `${web}?`],
  ['a parameter more behind others', `${withQuery}&z=1`],
  ['a parameter less', withQuery.replace('&x=y', '')],
  ['parameters in another order', withQuery.replace('app=1&x=y', 'x=y&app=1')],
  ['another value of a parameter', withQuery.replace('x=y', 'x=z')],
  ['a fragment', `${web}#top`],
  ['an empty fragment', `${web}#`],
  ['the default port', web.replace('.example', '.example:443')],
  ['another port', withPort.replace('8443', '8444')],
  ['no port', withPort.replace(':8443', '')],
  ['a port with zeros before it', withPort.replace('8443', '08443')],
  ['plain http', web.replace('https', 'http')],
  ['another scheme', web.replace('https', 'myapp')],
  ['a scheme that is a script', 'javascript:alert(1)//client.example/call/back'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['no scheme', '//client.example/call/back'],
  ['a path alone', '/call/back'],
  ['dot segments', web.replace('/call', '/x/../call')],
  ['a dot segment', web.replace('/call', '/./call')],
  ['dot segments encoded', web.replace('/call', '/x/%2e%2e/call')],
  ['backslashes', web.replaceAll('/', '\\')],
  ['a backslash behind the host', web.replace('.example', '.example\\@evil.example')],
  ['white space before', ` ${web}`],
  ['white space behind', `${web} `],
  ['a line end', `${web}\n`],
  ['a tab', web.replace('call', 'ca\tll')],
  ['NUL', `${web}\u0000`],
  ['NUL before another host', `https://client.example\u0000.evil.example/call/back`],
  ['two addresses in one', `${web} ${bare}`],
  ['a wildcard', 'https://client.example/*'],
  ['another loopback port', loopback.replace('8910', '8911')],
  ['no loopback port', loopback.replace(':8910', '')],
  ['another loopback address', loopback.replace('127.0.0.1', '127.0.0.2')],
  ['a short loopback address', loopback.replace('127.0.0.1', '127.1')],
  ['a loopback address as a number', loopback.replace('127.0.0.1', '2130706433')],
  ['localhost for its address', loopback.replace('127.0.0.1', 'localhost')],
  ['the address for localhost', localhost.replace('localhost', '127.0.0.1')],
  ['a long loopback address', loopback6.replace('::1', '0:0:0:0:0:0:0:1')],
  ['another port of IPv6', loopback6.replace('8910', '8911')],
  ['a host below localhost', localhost.replace('localhost', 'localhost.evil')],
  ['localhost with a dot at its end', localhost.replace('localhost', 'localhost.')],
  ['localhost by https', localhost.replace('http:', 'https:')],
  ['an overlong address', `${web}?${'x'.repeat(8_000)}`],
]

describe('RFC 6749 §3.1.2.3, RFC 9700 §2.1: the redirect address is exactly as registered', () => {
  test.each(registered)('%s', async (redirectUri) => {
    const answer = answerOf(await party.browser.visit(requestOf(party, { redirect_uri: redirectUri })), redirectUri)
    expect(answer).toEqual({ code: expect.any(String), state: 'a state', iss: api.app.config.publicUrl })
  })

  test.each(others)('not with %s', async (_what, redirectUri) => {
    expect(registered).not.toContain(redirectUri)
    const hop = await party.browser.visit(requestOf(party, { redirect_uri: redirectUri }))
    expectPage(hop, 400, 'redirect.unregistered')
  })

  test('an error is sent nowhere else either', async () => {
    for (const [, redirectUri] of others.slice(0, 5)) {
      const hop = await party.browser.visit(requestOf(party, { redirect_uri: redirectUri, response_type: 'token' }))
      expectPage(hop, 400, 'redirect.unregistered')
    }
  })

  test('one that the application has taken away is one no more', async () => {
    const gone = await makeParty(api, { redirectUris: [web, bare] })
    await authorize(gone)
    await api.sql('update applications set redirect_uris = $1 where client_id = $2', [
      [bare],
      gone.application.clientId,
    ])
    expectPage(await gone.browser.visit(requestOf(gone)), 400, 'redirect.unregistered')
  })
})

describe('RFC 6749 §4.1.3: a code is redeemed with the redirect address that it was sent to', () => {
  test('and with none that only resembles it, nor with another that is registered', async () => {
    const code = (await authorize(party)).get('code') ?? ''
    const wrong = [...registered.slice(1), ...others.map(([, redirectUri]) => redirectUri)].filter(
      (redirectUri) => redirectUri.length < 8_000,
    )
    for (const redirectUri of wrong) {
      expectOAuthError(await redeem(party, code, { redirect_uri: redirectUri }), 400, 'invalid_grant')
    }
    expectOAuthError(await redeem(party, code, { redirect_uri: '' }), 400, 'invalid_request')
    expect((await redeem(party, code)).status).toBe(200)
  })
})
