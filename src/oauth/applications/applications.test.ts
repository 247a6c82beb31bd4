import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../test/harness.ts'

let api: Harness
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const applications = '/oauth/applications'
const addressOf = ({ clientId }: { clientId: string }) => `${applications}/${clientId}`
const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

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

describe('listing and reading', () => {
  test('show all of one’s own applications, oldest first, and nobody else’s', async () => {
    const [mine, theirs] = [await api.user(), await api.user()]
    expect((await api.get(applications, mine)).body).toEqual([])
    const first = await register(mine, { name: 'Zebra', imageUrl: 'https://media.example.org/z.png' })
    const second = await register(mine, { name: 'Aardvark', type: 'public' })
    await register(theirs)
    const list = await api.get(applications, mine)
    const { clientSecret, ...firstRecord } = first
    expect(clientSecret).toEqual(expect.any(String))
    expect([list.status, list.body]).toEqual([200, [firstRecord, second]])
    expect(list.headers.get('cache-control')).toBe('private, no-store')
    const read = await api.get(addressOf(first), mine)
    expect([read.status, read.body]).toEqual([200, firstRecord])
    expect((await api.get(addressOf(second), mine)).body).toEqual(second)
  })

  test('never tell a secret or what it is compared with', async () => {
    const made = await register(owner)
    const replies = [
      await api.get(applications, owner),
      await api.get(addressOf(made), owner),
      await api.patch(addressOf(made), owner, { name: 'Another' }),
      await api.get('/users/@me', owner),
      await api.get('/users/@me/sessions', owner),
    ]
    const hash = sha256(made.clientSecret)
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      expect(reply.text).not.toMatch(/secret/i)
      expect(reply.text).not.toContain(made.clientSecret)
      expect(reply.text).not.toContain(hash)
      expect(reply.text).not.toContain(Buffer.from(hash, 'hex').toString('base64').slice(0, 40))
    }
  })

  test('take the client id in any case', async () => {
    const made = await register(owner)
    const reply = await api.get(`${applications}/${made.clientId.toUpperCase()}`, owner)
    expect([reply.status, reply.body.clientId]).toEqual([200, made.clientId])
  })
})

describe('an application that is unknown, malformed or somebody else’s', () => {
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Taken Over' }],
    ['DELETE', ''],
    ['POST', '/secret'],
  ]

  test.each(calls)('answers %s “%s” alike', async (method, tail, body) => {
    const [stranger, made] = [await api.user({ globalRoles: ['role:owner'] }), await register(owner)]
    const names = [made.clientId, unknownGuid, 'x', '%00', '%27%20or%201=1', `${made.clientId}x`, '@me']
    const replies = await Promise.all(
      names.map((name) => api.call(method, `${applications}/${name}${tail}`, { as: stranger, body })),
    )
    for (const reply of replies) expect(outcome(reply)).toEqual([404, 'application.unknown'])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect((await api.get(addressOf(made), owner)).body.name).toBe('Overlay Editor')
    expect(await storedHash(made)).toBe(sha256(made.clientSecret))
  })

  test('is told before anything of the body', async () => {
    const [stranger, made] = [await api.user(), await register(owner)]
    for (const body of [{}, { type: 'public' }, { name: '' }, []]) {
      expect(outcome(await api.patch(addressOf(made), stranger, body))).toEqual([404, 'application.unknown'])
    }
  })
})

describe('changing', () => {
  test.each<[object]>([
    [{ name: 'Scene Editor' }],
    [{ imageUrl: 'https://media.example.org/new.png' }],
    [{ imageUrl: null }],
    [{ scopes: ['compsystem'] }],
    [{ redirectUris: ['http://studio.local:8080/cb'] }],
    [{ name: 'Scene Editor', scopes: ['ws:write'], redirectUris: ['https://client.example/'], imageUrl: null }],
    [{ name: 'Scene Editor', type: 'confidential' }],
  ])('to %j leaves all else as it was', async (changes) => {
    const { clientSecret, ...before } = await register(owner, { imageUrl: 'https://media.example.org/old.png' })
    await api.sql(`update applications set updated_at = updated_at - interval '1 hour' where client_id = $1`, [
      before.clientId,
    ])
    const reply = await api.patch(addressOf(before), owner, changes)
    const { updatedAt, ...changed } = reply.body
    expect([outcome(reply), changed]).toEqual([[200, null], { ...before, ...changes, updatedAt: undefined }])
    expect(Math.abs(Date.parse(updatedAt) - Date.now())).toBeLessThan(60_000)
    expect((await api.get(addressOf(before), owner)).body).toEqual(reply.body)
    expect(await storedHash(before)).toBe(sha256(clientSecret))
  })

  test('to what is so already changes nothing and tells nobody', async () => {
    const { clientSecret, ...record } = await register(owner)
    const reply = await api.patch(addressOf(record), owner, registration())
    expect([reply.status, reply.body]).toEqual([200, record])
    expect((await eventsOf(record)).map(({ type }) => type)).toEqual(['application.created'])
    expect(await storedHash(record)).toBe(sha256(clientSecret))
  })

  test.each<[string, unknown, string]>([
    ['another type', { type: 'public' }, 'application.type_fixed'],
    ['another type beside other members', { name: 'New', type: 'public' }, 'application.type_fixed'],
    ['an unknown type', { type: 'native' }, 'request.invalid'],
    ['nothing', {}, 'application.nothing_given'],
    ['the type it has', { type: 'confidential' }, 'application.nothing_given'],
    ['unknown members alone', { clientId: unknownGuid, clientSecret: 'mine' }, 'application.nothing_given'],
    ['no object', [], 'request.invalid'],
    ['a name that is null', { name: null }, 'request.invalid'],
    ['a wrong name', { name: 'Overlay_Editor' }, 'application.name_invalid'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, 'request.invalid'],
    ['a wrong image', { imageUrl: 'ftp://media.example.org/a.png' }, 'application.image_invalid'],
    ['no scope', { scopes: [] }, 'request.invalid'],
    ['an unknown scope', { scopes: ['rest:all'] }, 'request.invalid'],
    ['a scope twice', { scopes: ['ws:read', 'ws:read'] }, 'request.invalid'],
    ['no redirect address', { redirectUris: [] }, 'request.invalid'],
    ['a wrong redirect address', { redirectUris: ['https://client.example/#x'] }, 'application.redirect_invalid'],
    ['a right member and a wrong one', { name: 'New', imageUrl: 'x' }, 'application.image_invalid'],
  ])('to %s is refused and changes nothing', async (_what, body, code) => {
    const { clientSecret, ...record } = await register(owner)
    expect(outcome(await api.patch(addressOf(record), owner, body))).toEqual([400, code])
    expect((await api.get(addressOf(record), owner)).body).toEqual(record)
  })

  test('two members at once loses neither', async () => {
    const made = await register(owner)
    const replies = await Promise.all([
      api.patch(addressOf(made), owner, { name: 'Scene Editor' }),
      api.patch(addressOf(made), owner, { scopes: ['ws:write'] }),
    ])
    expect(replies.map(outcome)).toEqual([
      [200, null],
      [200, null],
    ])
    expect((await api.get(addressOf(made), owner)).body).toMatchObject({ name: 'Scene Editor', scopes: ['ws:write'] })
  })
})

describe('rotating the secret', () => {
  test('answers a new one, this once, and forgets the old one', async () => {
    const made = await register(owner)
    const reply = await api.post(`${addressOf(made)}/secret`, owner)
    expect([outcome(reply), reply.body]).toEqual([
      [200, null],
      { clientId: made.clientId, clientSecret: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    expect(reply.body.clientSecret).not.toBe(made.clientSecret)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(await storedHash(made)).toBe(sha256(reply.body.clientSecret))
  })

  test('leaves what users have granted', async () => {
    const made = await register(owner)
    const token = await api.token(await api.user(), ['rest:read'], made)
    expect(outcome(await api.post(`${addressOf(made)}/secret`, owner))).toEqual([200, null])
    expect((await api.call('GET', '/users/@me', { token })).status).toBe(200)
  })

  test('of a public application is refused, for it has none', async () => {
    const made = await register(owner, { type: 'public' })
    expect(outcome(await api.post(`${addressOf(made)}/secret`, owner))).toEqual([409, 'application.public'])
    expect(await storedHash(made)).toBeNull()
    expect(await eventsOf(made)).toHaveLength(1)
  })

  test('several times at once leaves exactly one secret that counts', async () => {
    const made = await register(owner)
    const replies = await Promise.all(Array.from({ length: 4 }, () => api.post(`${addressOf(made)}/secret`, owner)))
    expect(replies.map(outcome)).toEqual(Array.from({ length: 4 }, () => [200, null]))
    const hash = await storedHash(made)
    expect(replies.filter(({ body }) => sha256(body.clientSecret) === hash)).toHaveLength(1)
    expect(await eventsOf(made)).toHaveLength(5)
  })
})

describe('who may manage applications', () => {
  /** Every operation, on one application or on none. */
  const calls = (address: string): [string, string, 'rest:user:read' | 'rest:user:write', object?][] => [
    ['GET', applications, 'rest:user:read'],
    ['POST', applications, 'rest:user:write', registration()],
    ['GET', address, 'rest:user:read'],
    ['PATCH', address, 'rest:user:write', { name: 'Changed' }],
    ['POST', `${address}/secret`, 'rest:user:write'],
    ['DELETE', address, 'rest:user:write'],
  ]

  test('nobody without a token', async () => {
    for (const [method, path, , body] of calls(addressOf(await register(owner)))) {
      const reply = await api.call(method, path, { body })
      expect(outcome(reply)).toEqual([401, 'token.missing'])
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test('nobody whose token lacks the scope', async () => {
    const made = await register(owner)
    const [reading, elsewhere] = [await api.token(owner, ['rest:read']), await api.token(owner, ['ws:write'])]
    for (const [method, path, scope, body] of calls(addressOf(made))) {
      const refused = await api.call(method, path, { token: elsewhere, body })
      expect(outcome(refused)).toEqual([401, 'scope.missing'])
      expect(refused.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
      const reply = await api.call(method, path, { token: reading, body })
      expect(outcome(reply)).toEqual(scope === 'rest:user:read' ? [200, null] : [401, 'scope.missing'])
    }
    expect(await storedHash(made)).toBe(sha256(made.clientSecret))
  })

  test('the owner, with no more than the scope that it takes', async () => {
    const made = await register(owner)
    const narrow = {
      'rest:user:read': await api.token(owner, ['rest:user:read']),
      'rest:user:write': await api.token(owner, ['rest:user:write']),
    }
    const statuses: number[] = []
    for (const [method, path, scope, body] of calls(addressOf(made))) {
      statuses.push((await api.call(method, path, { token: narrow[scope], body })).status)
    }
    expect(statuses).toEqual([200, 201, 200, 200, 200, 204])
  })

  test('no application, whatever it was granted and whichever it names', async () => {
    const [made, elsewhere] = [await register(owner), await register(await api.user())]
    const token = await api.token(owner, ['rest:write', 'ws:write'], { ...made })
    for (const named of [made, elsewhere, { clientId: unknownGuid }, { clientId: 'x' }]) {
      for (const [method, path, , body] of calls(addressOf(named))) {
        const reply = await api.call(method, path, { token, body })
        expect(outcome(reply), `${method} ${path}`).toEqual([403, 'role.missing'])
        expect(reply.text).toMatch(/^Only .* may do this\.$/)
      }
    }
    expect(await storedHash(made)).toBe(sha256(made.clientSecret))
    const weak = await api.token(owner, ['ws:read'], { ...made })
    expect(outcome(await api.call('GET', applications, { token: weak }))).toEqual([401, 'scope.missing'])
  })

  test('no banned owner, while the application goes on for its users', async () => {
    const [banned, user, admin] = [await api.user(), await api.user(), await api.user({ globalRoles: ['role:owner'] })]
    const made = await register(banned)
    const token = await api.token(user, ['rest:read'], { ...made })
    expect((await api.patch(`/admin/users/${banned.guid}`, admin, { banned: true })).status).toBe(200)
    for (const [method, path, , body] of calls(addressOf(made))) {
      expect(outcome(await api.call(method, path, { as: banned, body }))).toEqual([401, 'token.invalid'])
    }
    expect((await api.call('GET', '/users/@me', { token })).status).toBe(200)
    expect(await storedHash(made)).toBe(sha256(made.clientSecret))
  })
})

test('the log of events tells what was done by whom, and no secret', async () => {
  const details = {
    name: 'Overlay Editor',
    imageUrl: null,
    scopes: ['rest:read', 'ws:read'],
    redirectUris: ['https://client.example/callback', 'http://localhost:3000/cb?x=1'],
  }
  const made = await register(owner)
  await api.patch(addressOf(made), owner, { name: 'Scene Editor', scopes: details.scopes, imageUrl: null })
  const { clientSecret } = (await api.post(`${addressOf(made)}/secret`, owner)).body
  await api.delete(addressOf(made), owner)
  const type = 'confidential'
  const by = { actor: owner.guid, tournament: null }
  expect(await eventsOf(made)).toEqual([
    { ...by, type: 'application.created', before: null, after: { ...details, type } },
    { ...by, type: 'application.updated', before: { name: 'Overlay Editor' }, after: { name: 'Scene Editor' } },
    { ...by, type: 'application.secret_rotated', before: null, after: null },
    { ...by, type: 'application.deleted', before: { ...details, name: 'Scene Editor', type }, after: null },
  ])
  const [log] = await api.sql<{ text: string }>(`select string_agg(event_log::text, ' ') as text from event_log`)
  for (const secret of [made.clientSecret, clientSecret]) {
    expect(log?.text).not.toContain(secret)
    expect(log?.text).not.toContain(sha256(secret))
  }
})
