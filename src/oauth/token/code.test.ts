import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  authorize,
  callAs,
  challengeOf,
  makeParty,
  obtain,
  type Party,
  redeem,
  refresh,
  verifier,
} from '../../../test/authorization.ts'
import { type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { expectOAuthError } from '../../../test/oauth-answers.ts'

let api: Harness
let party: Party
let native: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api)
  native = await makeParty(api, { type: 'public' })
})
afterAll(() => api[Symbol.asyncDispose]())
afterEach(() => {
  vi.useRealTimers()
})

/** An S256 challenge with its verifier. */
function pkce(secret = verifier()): { asked: Record<string, string>; proof: Record<string, string> } {
  return {
    asked: { code_challenge: challengeOf(secret), code_challenge_method: 'S256' },
    proof: { code_verifier: secret },
  }
}

const codeOf = async (from: Party, changes: Record<string, string> = {}) =>
  (await authorize(from, changes)).get('code') ?? ''
const asks = (token: string, path = '/users/@me/sessions') => api.call('GET', path, { token })

function tokensOf(reply: Reply) {
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('access_token')])
  return reply.body
}

async function userOf({ browser }: Party): Promise<string> {
  const { sub } = JSON.parse(
    Buffer.from((await browser.post('/api/auth/token')).body.token.split('.')[1], 'base64url').toString(),
  )
  return sub
}

describe('RFC 6749 §5.1: the answer to a code', () => {
  test('holds exactly what the contract says, for nobody to keep', async () => {
    const before = Date.now()
    const reply = await redeem(party, await codeOf(party, { scope: 'ws:read rest:read' }))
    expect(tokensOf(reply)).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 5_184_000,
      refresh_token: expect.stringMatching(/^[\w-]{43,}$/),
      scope: 'ws:read rest:read',
    })
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('pragma')).toBe('no-cache')
    expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/)
    const [row] = await api.sql<{ expires_at: Date }>(
      `select expires_at from refresh_tokens where token_hash = sha256($1::bytea)`,
      [reply.body.refresh_token],
    )
    const lifetime = (row?.expires_at.getTime() ?? 0) - before
    expect(lifetime).toBeGreaterThanOrEqual(180 * 86_400_000)
    expect(lifetime).toBeLessThan(180 * 86_400_000 + 60_000)
  })

  test('is a token for what was agreed to, and nothing beyond it', async () => {
    const { access_token: token } = tokensOf(await redeem(party, await codeOf(party, { scope: 'rest:user:read' })))
    expect((await asks(token)).status).toBe(200)
    const refused = await asks(token, '/users/@me/sessions/5a0c1b1e-6f0e-4df0-8f0f-0d3a8e6a5b11')
    expect(refused.status).toBe(404)
    const beyond = await api.call('DELETE', '/users/@me/sessions/5a0c1b1e-6f0e-4df0-8f0f-0d3a8e6a5b11', { token })
    expect([beyond.status, beyond.headers.get('problem-code')]).toEqual([401, 'scope.missing'])
  })

  test('tells whose token it is', async () => {
    const { access_token: token } = tokensOf(await redeem(party, await codeOf(party)))
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({
      iss: api.app.config.publicUrl,
      sub: await userOf(party),
      client_id: party.application.clientId,
      scope: 'rest:read',
      scopes: ['rest:read'],
    })
    expect(claims.exp - claims.iat).toBe(5_184_000)
  })
})

describe('RFC 6749 §4.1.3: a code', () => {
  test('must be given, with the redirect address', async () => {
    const code = await codeOf(party)
    for (const [name, value] of [
      ['code', ''],
      ['redirect_uri', ''],
    ] as const) {
      expectOAuthError(await redeem(party, code, { [name]: value }), 400, 'invalid_request')
    }
    const members = { grant_type: 'authorization_code', code }
    expectOAuthError(await callAs(party, '/oauth/token', members), 400, 'invalid_request')
    tokensOf(await redeem(party, code))
  })

  const strange: [string, (code: string) => string][] = [
    ['unknown', () => verifier()],
    ['in another case', (code) => code.toUpperCase()],
    ['with a character more', (code) => `${code}A`],
    ['with a character less', (code) => code.slice(1)],
    ['with white space', (code) => ` ${code}`],
    ['with NUL', (code) => `${code}\u0000`],
    ['of NULs', () => '\u0000'.repeat(43)],
    ['of SQL', () => "' or true --"],
    ['of 8192 characters', () => 'a'.repeat(8_192)],
  ]

  test.each(strange)('%s gives nothing', async (_what, change) => {
    const code = await codeOf(party)
    expectOAuthError(await redeem(party, change(code)), 400, 'invalid_grant')
    tokensOf(await redeem(party, code))
  })

  test('of another client gives nothing, and stays good for its own', async () => {
    const proven = pkce()
    const others = [await makeParty(api), await makeParty(api, { type: 'public' })]
    for (const other of others) {
      for (const owner of [party, native]) {
        const code = await codeOf(owner, proven.asked)
        expectOAuthError(await redeem(other, code, proven.proof), 400, 'invalid_grant')
        tokensOf(await redeem(owner, code, proven.proof))
      }
    }
  })

  test('that was redeemed is not known to another client as that either', async () => {
    const code = await codeOf(party)
    const { access_token: token } = tokensOf(await redeem(party, code))
    expectOAuthError(await redeem(await makeParty(api), code), 400, 'invalid_grant')
    expect((await asks(token)).status).toBe(200)
  })

  test('lasts ten minutes', async () => {
    const [early, late] = [await codeOf(party), await codeOf(party)]
    const [row] = await api.sql<{ expires_at: Date }>(
      'select min(expires_at) as expires_at from authorization_codes where used_at is null and client_id = $1',
      [party.application.clientId],
    )
    const end = row?.expires_at.getTime() ?? 0
    expect(end - Date.now()).toBeLessThanOrEqual(600_000)
    expect(end - Date.now()).toBeGreaterThan(570_000)
    vi.useFakeTimers({ toFake: ['Date'], now: end - 1 })
    const { access_token: token } = tokensOf(await redeem(party, early))
    vi.setSystemTime(end + 60_000)
    expectOAuthError(await redeem(party, late), 400, 'invalid_grant')
    vi.useRealTimers()
    expect((await asks(token)).status).toBe(401)
  })
})

describe('RFC 6749 §4.1.2: a code that is used twice', () => {
  const reuses = (userGuid: string) =>
    api.sql(`select actor, tournament, after from event_log where type = 'token.reused' and subject = $1`, [userGuid])

  test('takes back what the first use gave, with all that came of it, and says so', async () => {
    const own = await makeParty(api)
    const user = await userOf(own)
    const other = await obtain(own)
    const code = await codeOf(own)
    const first = tokensOf(await redeem(own, code))
    const second = tokensOf(await refresh(own, first.refresh_token))
    expect([(await asks(first.access_token)).status, (await asks(second.access_token)).status]).toEqual([200, 200])
    expectOAuthError(await redeem(own, code), 400, 'invalid_grant')
    for (const { access_token: token } of [first, second]) {
      const reply = await asks(token)
      expect([reply.status, reply.headers.get('problem-code')]).toEqual([401, 'token.invalid'])
    }
    for (const { refresh_token: token } of [first, second]) {
      expectOAuthError(await refresh(own, token), 400, 'invalid_grant')
    }
    expectOAuthError(await redeem(own, code), 400, 'invalid_grant')
    const after = { clientId: own.application.clientId, kind: 'code' }
    expect(await reuses(user)).toEqual([{ actor: null, tournament: null, after }])
    expect((await asks(other.access_token)).status).toBe(200)
    tokensOf(await refresh(own, other.refresh_token))
  })

  test('does so after it has expired, and of public clients too', async () => {
    const { asked, proof } = pkce()
    const code = await codeOf(native, asked)
    const { access_token: token } = tokensOf(await redeem(native, code, proof))
    await api.sql(`update authorization_codes set expires_at = now() - interval '1 hour' where client_id = $1`, [
      native.application.clientId,
    ])
    expectOAuthError(await redeem(native, code, proof), 400, 'invalid_grant')
    expect((await asks(token)).status).toBe(401)
  })
})

describe('RFC 7636 §4.6: the verifier', () => {
  const secret = verifier()
  const { asked } = pkce(secret)
  const wrong: [string, string][] = [
    ['none', ''],
    ['another', verifier()],
    ['the challenge itself', challengeOf(secret)],
    ['in another case', secret.toLowerCase() === secret ? secret.toUpperCase() : secret.toLowerCase()],
    ['a character short', secret.slice(1)],
    ['a character long', `${secret}A`],
    ['with padding', `${secret}=`],
    ['with a line end', `${secret}\n`],
    ['with NUL', `${secret}\u0000`],
    ['of 129 characters', 'a'.repeat(129)],
  ]

  test.each(wrong)('%s redeems nothing, and the right one does', async (_what, code_verifier) => {
    for (const own of [party, native]) {
      const code = await codeOf(own, asked)
      expectOAuthError(await redeem(own, code, { code_verifier }), 400, 'invalid_grant')
      tokensOf(await redeem(own, code, { code_verifier: secret }))
    }
  })

  test.each([
    ['43 characters', 'a'.repeat(43)],
    ['128 characters', '-._~'.repeat(32)],
    ['the RFC’s example', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  ])('of %s is good', async (_what, text) => {
    const { asked: challenge, proof } = pkce(text)
    tokensOf(await redeem(native, await codeOf(native, challenge), proof))
  })

  test.each([
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['characters that it may not have', `${'a'.repeat(42)}+`],
  ])('of %s is none, even where its hash is right', async (_what, text) => {
    const { asked: challenge, proof } = pkce(text)
    expectOAuthError(await redeem(native, await codeOf(native, challenge), proof), 400, 'invalid_grant')
  })

  test('without a challenge is a downgrade', async () => {
    const code = await codeOf(party)
    expectOAuthError(await redeem(party, code, { code_verifier: verifier() }), 400, 'invalid_grant')
    tokensOf(await redeem(party, code))
  })

  test('of one’s own request redeems no code that somebody injects', async () => {
    const thief = { ...native, browser: (await makeParty(api)).browser }
    const [mine, theirs] = [pkce(), pkce()]
    const [myCode, theirCode] = [await codeOf(native, mine.asked), await codeOf(thief, theirs.asked)]
    expectOAuthError(await redeem(native, theirCode, mine.proof), 400, 'invalid_grant')
    expectOAuthError(await redeem(native, myCode, theirs.proof), 400, 'invalid_grant')
    tokensOf(await redeem(native, myCode, mine.proof))
  })
})

describe('D24: between a code and its exchange', () => {
  const marks: [string, string][] = [
    ['banned', 'banned_at = now(), credentials_valid_from = now()'],
    ['banned and let in again', 'credentials_valid_from = now()'],
    ['gone', 'anonymised_at = now()'],
  ]

  test.each(marks)('the user was %s', async (_what, assignment) => {
    const own = await makeParty(api)
    const code = await codeOf(own)
    await api.sql(
      `update users set ${assignment} where guid = (select user_guid from authorization_codes where client_id = $1)`,
      [own.application.clientId],
    )
    expectOAuthError(await redeem(own, code), 400, 'invalid_grant')
    expect(await api.sql('select 1 from grants where client_id = $1', [own.application.clientId])).toEqual([])
  })
})

describe('RFC 6749 §3.3: what the application may no longer ask for', () => {
  const narrow = ({ application }: Party, scopes: string) =>
    api.sql('update applications set scopes = $1 where client_id = $2', [`{${scopes}}`, application.clientId])

  test('is not given for a code from before', async () => {
    const own = await makeParty(api, { scopes: ['rest:read', 'ws:write'] })
    const code = await codeOf(own, { scope: 'rest:read ws:read' })
    await narrow(own, 'ws:write,assistant')
    const tokens = tokensOf(await redeem(own, code))
    expect(tokens.scope).toBe('ws:read')
    expect((await asks(tokens.access_token)).headers.get('problem-code')).toBe('scope.missing')
    await narrow(own, 'rest:read,ws:write')
    expect(tokensOf(await refresh(own, tokens.refresh_token)).scope).toBe('ws:read')
  })

  test('gives nothing where it is all that the code was for', async () => {
    const own = await makeParty(api, { scopes: ['rest:read'] })
    const code = await codeOf(own)
    await narrow(own, 'ws:write')
    expectOAuthError(await redeem(own, code), 400, 'invalid_grant')
  })
})
