import { randomUUID } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type FakeGameSignIn,
  startFakeBeatLeaderSignIn,
  startFakeScoreSaberSignIn,
} from '../../../../test/fakes/game-proof.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { gameTokensJobs } from './jobs.ts'

let api: Harness
let a: FakeGameSignIn
let b: FakeGameSignIn
beforeAll(async () => {
  ;[a, b] = await Promise.all([startFakeScoreSaberSignIn(), startFakeBeatLeaderSignIn()])
  api = await startHarness(addresses(), { timeouts: { answerMs: 700 } })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await Promise.all([a.close(), b.close()])
})

function addresses() {
  return { rankingAUrl: a.url, gameSignInUrl: a.url, rankingBUrl: b.url, assistantClientVersion: '1.3.10' }
}

let accounts = 76_561_198_000_000_000n
const avatar = 'https://cdn.example.org/quaver.jpg'

/** A body of form A or B that its platform accepts, and the player it belongs to. */
function proofOf(form: 'a' | 'b', id = String(++accounts)) {
  const secret = randomUUID().replaceAll('-', '')
  const player = { id, name: `Player ${id}`, avatar }
  if (form === 'b') {
    b.proofs.set(`steamTicket:${secret}`, player)
    return { id, secret, body: { provider: 'steamTicket', ticket: secret } }
  }
  a.proofs.set(secret, player)
  const named = { platform: 'scoresaber', platformId: id, platformUsername: 'Whatever they say' }
  return { id, secret, body: { ...named, proofProvider: 'scoresaber', proofPlayerId: id, proofNonce: secret } }
}

const path = '/game/requestAuthToken'
const signIn = (body: object, on = api) => on.post(path, null, body)

async function link(user: Caller, form: 'a' | 'b', id: string, isVerified = true): Promise<void> {
  await api.sql(
    'insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, case when $4 then now() end)',
    [user.guid, `ranking-${form}`, id, isVerified],
  )
}

/** Verifies as other servers do, with the published keys. */
async function claimsOf({ body }: Reply) {
  const keys = createRemoteJWKSet(new URL(`${api.url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(body.token, keys, { algorithms: ['RS256'], audience: 'game' })
  return payload
}

describe.each([
  ['a', 'scoresaber'],
  ['b', 'beatleader'],
] as const)('by platform %s', (form, platform) => {
  test('somebody who is unknown here is told as the platform names them', async () => {
    const { id, body } = proofOf(form)
    const reply = await signIn(body)
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['token']])
    const claims = await claimsOf(reply)
    expect(claims).toEqual({
      iss: api.app.config.publicUrl,
      aud: 'game',
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: (claims.iat ?? 0) + 86_400,
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
      id: null,
      username: `Player ${id}`,
      avatarUrl: avatar,
      scopes: ['assistant:game', 'tournamentassistant:game'],
      platform,
      platformId: id,
      platformIds: [id],
      tokenType: 'game',
    })
  })

  test('whoever has linked the account is named, and nobody else', async () => {
    const [user, claiming, gone] = await Promise.all([api.user(), api.user(), api.user()])
    const other = form === 'a' ? 'b' : 'a'
    const theirs = proofOf(form)
    await link(user, form, theirs.id)
    expect(await claimsOf(await signIn(theirs.body))).toMatchObject({
      sub: user.guid,
      guid: user.guid,
      id: user.chatPlatformId,
      username: `Player ${theirs.id}`,
    })
    const [claimed, elsewhere, forgotten] = [proofOf(form), proofOf(form), proofOf(form)]
    await Promise.all([
      link(claiming, form, claimed.id, false),
      link(claiming, other, elsewhere.id),
      link(gone, form, forgotten.id),
    ])
    await api.sql('update users set anonymised_at = now() where guid = $1', [gone.guid])
    for (const { body } of [claimed, elsewhere, forgotten]) {
      const claims = await claimsOf(await signIn(body))
      expect(claims).toMatchObject({ id: null })
      expect(claims).not.toHaveProperty('sub')
      expect(claims).not.toHaveProperty('guid')
    }
  })

  test('whoever is banned is refused, and their proof is used up', async () => {
    const user = await api.user()
    const { id, body } = proofOf(form)
    await link(user, form, id)
    await api.sql('update users set banned_at = now() where guid = $1', [user.guid])
    expect(outcome(await signIn(body))).toEqual([403, 'user.banned'])
    await api.sql('update users set banned_at = null where guid = $1', [user.guid])
    expect(outcome(await signIn(body))).toEqual([401, 'game.proof_refused'])
  })

  test('a proof is good once, whoever of many comes first, and again when it is forgotten', async () => {
    const { secret, body } = proofOf(form)
    const replies = await Promise.all(Array.from({ length: 20 }, () => signIn(body)))
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(401)])
    const asked = (form === 'a' ? a : b).requests.length
    expect(outcome(await signIn(body))).toEqual([401, 'game.proof_refused'])
    expect((form === 'a' ? a : b).requests, 'what is known is not asked again').toHaveLength(asked)
    const [row] = await api.sql<{ digest: Buffer; at: Date }>('select * from game_proofs order by at desc limit 1')
    expect(Object.keys(row ?? {}).sort()).toEqual(['at', 'digest'])
    expect(row?.digest.toString('latin1')).not.toContain(secret)
    await api.sql(`update game_proofs set at = now() - interval '10 minutes 1 second'`)
    expect((await Promise.all([signIn(body), signIn(body)])).map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('what the platform does not accept is refused', async () => {
    const { body } = proofOf(form)
    const changed = form === 'a' ? { ...body, proofNonce: 'another' } : { ...body, ticket: 'another' }
    const reply = await signIn(changed)
    expect(outcome(reply)).toEqual([401, 'game.proof_refused'])
    expect(reply.text).not.toContain('another')
    const fake = form === 'a' ? a : b
    for (const status of [400, 401, 403]) {
      const end = fake.misbehave(/POST/, { status, body: 'whatever they say' })
      const refused = await signIn(body)
      end()
      expect(outcome(refused)).toEqual([401, 'game.proof_refused'])
      expect(refused.text).not.toContain('whatever')
    }
    expect((await signIn(body)).status, 'it was not used up').toBe(200)
  })

  test.each([
    ['an error', { status: 500, body: '' }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
    ['an answer in another form', { status: 200, headers: { 'set-cookie': 'a=b' }, body: { hello: [] } }],
    ['too many requests', { limitedS: 3 }],
    ['half an answer', 'reset'],
    ['an answer that comes late', { slowMs: 3_000 }],
    ['an answer without end', { status: 200, body: 'x'.repeat(300_000) }],
  ] as const)('%s is no answer', async (_, how) => {
    const { body } = proofOf(form)
    const fake = form === 'a' ? a : b
    for (const matcher of form === 'a' ? [/POST/, /GET/] : [/GET/]) {
      const end = fake.misbehave(matcher, how)
      const reply = await signIn(body)
      end()
      expect(outcome(reply)).toEqual([503, 'game.proof_unreachable'])
    }
    expect((await signIn(body)).status, 'it was not used up').toBe(200)
  })

  test('both questions together have one deadline', async () => {
    const { body } = proofOf(form)
    const fake = form === 'a' ? a : b
    const end = fake.misbehave(/./, { slowMs: 500 })
    expect(outcome(await signIn(body))).toEqual([503, 'game.proof_unreachable'])
    end()
  })
})

test('by ticket, further scopes are told where they are asked for', async () => {
  const reply = await signIn({ ...proofOf('b').body, scopes: ['compcube'] })
  expect((await claimsOf(reply)).scopes).toEqual([
    'assistant:game',
    'tournamentassistant:game',
    'compsystem',
    'compcube',
  ])
})

test('a ticket without a cookie names nobody', async () => {
  const end = b.misbehave(/POST/, { status: 200, body: '' })
  expect(outcome(await signIn(proofOf('b').body))).toEqual([401, 'game.proof_refused'])
  end()
})

test('a player whom the platform does not show is named as the game says, without a picture', async () => {
  const end = a.misbehave(/GET/, { status: 404, body: '' })
  const { body } = proofOf('a')
  const claims = await claimsOf(await signIn(body))
  end()
  expect(claims).toMatchObject({ username: 'Whatever they say', avatarUrl: '' })
})

test('a proof of one account is none of another', async () => {
  const { body } = proofOf('a')
  const seen = a.requests.length
  expect(outcome(await signIn({ ...body, platformId: '1' }))).toEqual([401, 'game.proof_refused'])
  expect(outcome(await signIn({ ...body, platformId: '1', proofPlayerId: '1' }))).toEqual([401, 'game.proof_refused'])
  expect(a.requests.slice(seen).map(({ body: sent }) => new URLSearchParams(sent).get('playerId'))).toEqual(['1'])
})

test('what has neither form is refused without asking anybody', async () => {
  const [{ body: byNonce }, { body: byTicket }] = [proofOf('a'), proofOf('b')]
  const seen = [a.requests.length, b.requests.length]
  const wrong = [
    {},
    { ...byNonce, platform: 'beatleader' },
    { ...byNonce, platformId: '../1' },
    { ...byNonce, proofProvider: 'steam' },
    { ...byNonce, proofNonce: '' },
    { ...byNonce, proofNonce: 'a b' },
    { ...byTicket, provider: 'other' },
    { ...byTicket, ticket: '' },
    { ...byTicket, ticket: 'x'.repeat(8_193) },
    { ...byTicket, scopes: ['rest:write'] },
  ]
  for (const body of wrong) expect((await signIn(body)).status, JSON.stringify(body).slice(0, 200)).toBe(400)
  expect([a.requests.length, b.requests.length]).toEqual(seen)
})

test('it stands at the root too, and counts as the same', async () => {
  const { body } = proofOf('b')
  const ask = () =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const reply = await ask()
  expect(reply.status).toBe(200)
  expect(decodeJwt(((await reply.json()) as { token: string }).token).aud).toBe('game')
  expect((await ask()).status).toBe(401)
  expect((await signIn(body)).status).toBe(401)
})

test('ten a minute from an address, at both places together', async () => {
  await using limited = await startHarness({ ...addresses(), rateLimits: true })
  const { body } = proofOf('b')
  const statuses: number[] = []
  for (let call = 0; call < 12; call++) {
    const url = call % 2 === 0 ? `${limited.url}/api${path}` : `${limited.url}${path}`
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...body, ticket: `no${call}` }) })
    statuses.push(reply.status)
    if (call === 11) expect(reply.headers.get('problem-code')).toBe('request.limited')
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
})

test('a way that is off proves nothing', async () => {
  await using off = await startHarness({ ...addresses(), gameProof: new Set() })
  const seen = [a.requests.length, b.requests.length]
  for (const form of ['a', 'b'] as const)
    expect(outcome(await signIn(proofOf(form).body, off))).toEqual([503, 'game.proof_unreachable'])
  expect([a.requests.length, b.requests.length]).toEqual(seen)
  expect(outcome(await off.get('/game/ta/standalone/latest-version'))).toEqual([200, null])
})

test('the token opens nothing here and stands in no list, and nothing else is kept', async () => {
  const user = await api.user()
  const { id, secret, body } = proofOf('b')
  await link(user, 'b', id)
  const before = await api.get('/users/@me/sessions', user)
  const { token } = (await signIn(body)).body
  expect((await api.get('/users/@me/sessions', user)).body).toEqual(before.body)
  for (const [method, address] of [
    ['GET', '/users/@me/sessions'],
    ['POST', '/assistant/token'],
    ['POST', '/updateUserSettings'],
  ] as const) {
    const reply = await api.call(method, address, { token, ...(method === 'POST' ? { body: {} } : {}) })
    expect(reply.status, `${method} ${address}`).toBe(401)
  }
  const publicRead = (given: string | null) => api.call('GET', '/tournaments', { token: given }).then(outcome)
  expect(await publicRead(token), 'as any text that is no token').toEqual(await publicRead('none'))
  const kept = await api.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of kept) {
    const [{ found } = { found: -1 }] = await api.sql<{ found: number }>(
      `select count(*)::int as found from "${name}" t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [secret, token],
    )
    expect(found, name).toBe(0)
  }
})

test('what is forgotten is deleted, what is known stays', async () => {
  await api.sql('delete from game_proofs')
  await api.sql(
    `insert into game_proofs (digest, at) select decode(lpad(n::text, 64, '0'), 'hex'), now() - n * interval '1 minute' from generate_series(1, 1500) n`,
  )
  const { database, services, clients } = api.app
  const [sweep] = gameTokensJobs
  await sweep?.run({} as never, { database, services, clients, now: () => new Date() } as never)
  expect(await api.sql('select count(*)::int as count from game_proofs')).toEqual([{ count: 9 }])
})

test('the version of the client is told as it is, at both places', async () => {
  for (const prefix of ['/api', '']) {
    const reply = await fetch(`${api.url}${prefix}/game/ta/standalone/latest-version`)
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '1.3.10',
    ])
  }
  await using none = await startHarness()
  expect(outcome(await none.get('/game/ta/standalone/latest-version'))).toEqual([404, 'game.version_unset'])
})
