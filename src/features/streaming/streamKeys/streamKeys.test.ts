import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeApplication } from '../../../../test/make.ts'
import { makeStreamKey } from '../../../../test/streaming.ts'
import { digestOf } from '../../../infra/secrets.ts'
import { findKeyByDigest, noteUse } from './store.ts'

let api: Harness
let owner: Caller
let dev: Caller
beforeAll(async () => {
  api = await startHarness()
  ;[owner, dev] = await Promise.all([
    api.user({ globalRoles: ['role:owner'] }),
    api.user({ globalRoles: ['role:dev'] }),
  ])
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const guid = expect.stringMatching(/^[\da-f-]{36}$/)
const mine = '/users/@me/streamKeys'
const nobody = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
const create = async (user: Caller, label = 'Living room') => {
  const reply = await api.post(mine, user, { label })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const list = async (user: Caller) => (await api.get(mine, user)).body
/** A token of an application with all rights that users can give to applications. */
const applied = async (user: Caller) => api.token(user, ['rest:write'], await makeApplication(api, user))
const found = (key: string) => findKeyByDigest(api.app.database.db, digestOf(key))
const eventsOf = (subject: string) =>
  api.sql<{ type: string; actor: string | null; tournament: string | null; after: object; touches: string[] }>(
    'select type, actor, tournament, after, touches from event_log where subject = $1 order by seq',
    [subject],
  )

describe('a key', () => {
  test('is made for its user, shown to them again, and found by its digest', async () => {
    const user = await api.user()
    const reply = await api.post(mine, user, { label: ' Living \n room ' })
    const { key } = reply.body
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        guid,
        label: 'Living room',
        key: expect.stringMatching(/^sk-[\w-]{43}$/),
        lastFour: key.slice(-4),
        createdAt: instant,
        lastUsedAt: null,
        expiresAt: null,
      },
    ])
    expect(reply.headers.get('cache-control')).toMatch(/private|no-store/)
    const second = await create(user, 'Studio')
    expect(second.key).not.toBe(key)
    expect(await list(user)).toEqual([reply.body, second])
    expect(await found(key)).toMatchObject({ guid: reply.body.guid, userGuid: user.guid })
    expect(await found(`${key}x`)).toBeUndefined()
    expect(await eventsOf(second.guid)).toEqual([
      {
        type: 'stream_key.created',
        actor: user.guid,
        tournament: null,
        after: { user: user.guid },
        touches: [second.guid, user.guid],
      },
    ])
  })

  test.each<[string, unknown, string]>([
    ['no label', {}, 'request.invalid'],
    ['an empty one', { label: '' }, 'request.invalid'],
    ['blanks', { label: '  ' }, 'request.invalid'],
    ['one that cannot be seen', { label: '\u3164' }, 'stream_key.label_invalid'],
    ['a long one', { label: 'x'.repeat(41) }, 'request.invalid'],
  ])('needs a label: %s', async (_what, body, code) => {
    expect(outcome(await api.post(mine, owner, body))).toEqual([400, code])
  })

  test('is one of five; one in grace does not count', async () => {
    const user = await api.user()
    const first = await create(user)
    await makeStreamKey(api, user, { expiresAt: new Date(Date.now() + 600_000) })
    for (let held = 1; held < 5; held++) await create(user)
    expect(outcome(await api.post(mine, user, { label: 'Sixth' }))).toEqual([409, 'stream_key.limit_reached'])
    const rotated = await api.post(`${mine}/${first.guid}/rotate`, user, { graceSeconds: 60 })
    expect(rotated.status).toBe(200)
    expect(await list(user)).toHaveLength(7)
    expect(outcome(await api.post(mine, user, { label: 'Sixth' }))).toEqual([409, 'stream_key.limit_reached'])
    expect((await api.delete(`${mine}/${rotated.body.guid}`, user)).status).toBe(204)
    await create(user, 'Sixth')
  })
})

describe('who sees a key (S2)', () => {
  test('its user by a token of the website, and nobody else', async () => {
    const user = await api.user()
    const made = await create(user)
    const hidden = { ...made, key: null }
    const token = await api.token(user, ['rest:user:read'], await makeApplication(api, user))
    const profile = async (as: Parameters<Harness['call']>[2], path = '/users/@me') =>
      (await api.call('GET', path, as)).body.streamKeys

    expect(await list(user)).toEqual([made])
    expect(await profile({ as: user })).toEqual([made])
    expect((await api.call('GET', mine, { token })).body).toEqual([hidden])
    expect(await profile({ token })).toEqual([hidden])
    for (const admin of [owner, dev]) {
      expect(await profile({ as: admin }, `/admin/users/${user.guid}`)).toEqual([hidden])
      const changed = await api.patch(`/admin/users/${user.guid}`, admin, { country: 'SE' })
      expect([changed.status, changed.body.streamKeys]).toEqual([200, [hidden]])
      expect(await list(admin)).toEqual([])
    }
    for (const as of [null, owner, user]) {
      expect((await api.get(`/users/${user.guid}`, as)).text).not.toContain('streamKeys')
      expect((await api.get(`/users/${user.guid}/card`, as)).text).not.toContain(made.lastFour)
    }
    const accounts = await api.get(`/admin/users?q=${user.chatPlatformId}`, owner)
    expect(accounts.body.users).toHaveLength(1)
    expect(accounts.text).not.toMatch(/streamKeys|lastFour/)

    // Even an administrator's own keys are not shown by the administration's operations.
    const own = await create(owner)
    expect(await profile({ as: owner }, `/admin/users/${owner.guid}`)).toEqual([{ ...own, key: null }])
    expect(await profile({ as: owner }, '/admin/users/@me')).toEqual([{ ...own, key: null }])
    expect(await profile({ as: owner })).toEqual([own])
  })

  test('nobody where the installation has another secret than it was sealed with: it counts, and can be rotated', async () => {
    const user = await api.user()
    const made = await create(user)
    await api.sql(`update stream_keys set sealed = reverse(sealed) where guid = $1`, [made.guid])
    expect(await list(user)).toEqual([{ ...made, key: null }])
    expect((await api.get('/users/@me', user)).body.streamKeys).toEqual([{ ...made, key: null }])
    expect(await found(made.key)).toMatchObject({ guid: made.guid })
    expect((await api.post(`${mine}/${made.guid}/rotate`, user)).body.key).toMatch(/^sk-/)
  })

  test('an application makes none, changes none, and does not learn which there are', async () => {
    const user = await api.user()
    const { guid: known } = await create(user)
    const token = await applied(user)
    for (const [method, path, body] of [
      ['POST', mine, { label: 'Mine' }],
      ...[known, nobody].flatMap((id): [string, string, object?][] => [
        ['POST', `${mine}/${id}/rotate`, {}],
        ['DELETE', `${mine}/${id}`],
      ]),
    ] as [string, string, object?][]) {
      const reply = await api.call(method, path, { token, ...(body === undefined ? {} : { body }) })
      expect(outcome(reply), `${method} ${path}`).toEqual([403, 'role.missing'])
    }
    expect(await list(user)).toHaveLength(1)
  })

  test('the export has its last four characters, and neither the event log nor a file of the account has more', async () => {
    const user = await api.user()
    const made = await create(user, 'For the export')
    await api.post(`${mine}/${made.guid}/rotate`, user, { graceSeconds: 60 })
    const { records } = (await api.get('/users/@me/export', user)).body.held.streamKeys
    expect(records).toHaveLength(2)
    expect(records[1]).toEqual({
      guid: made.guid,
      label: 'For the export',
      lastFour: made.lastFour,
      networks: [],
      createdAt: instant,
      lastUsedAt: null,
      expiresAt: instant,
    })
    const [row] = await api.sql<{ line: string }>('select k::text as line from stream_keys k where guid = $1', [
      made.guid,
    ])
    const [logged] = await api.sql<{ text: string }>('select string_agg(e::text, $1) as text from event_log e', ['\n'])
    expect(logged?.text).toContain(made.guid)
    for (const { key } of await list(user)) {
      for (const form of [key, key.slice(3), digestOf(key).toString('hex'), Buffer.from(key).toString('base64')]) {
        expect(logged?.text).not.toContain(form)
      }
      expect(row?.line).not.toContain(key.slice(3))
    }
  })
})

describe('rotating', () => {
  const rotate = (user: Caller, id: string, body?: object) => api.post(`${mine}/${id}/rotate`, user, body)

  test('ends the old key at once, and carries its label and networks on', async () => {
    const user = await api.user()
    const old = await makeStreamKey(api, user, { label: 'Studio', networks: ['203.0.113.5'] })
    const reply = await rotate(user, old.guid)
    const fresh = reply.body
    expect([reply.status, fresh]).toEqual([
      200,
      {
        guid,
        label: 'Studio',
        key: expect.stringMatching(/^sk-[\w-]{43}$/),
        lastFour: fresh.key.slice(-4),
        createdAt: instant,
        lastUsedAt: null,
        expiresAt: null,
      },
    ])
    expect(fresh.guid).not.toBe(old.guid)
    expect(fresh.key).not.toBe(old.key)
    expect(await list(user)).toEqual([fresh])
    expect(await found(old.key)).toBeUndefined()
    expect(await found(fresh.key)).toMatchObject({ guid: fresh.guid, networks: ['203.0.113.5'] })
    const by = { actor: user.guid, tournament: null }
    expect(await eventsOf(old.guid)).toEqual([
      {
        type: 'stream_key.rotated',
        ...by,
        after: { user: user.guid, successor: fresh.guid },
        touches: [old.guid, user.guid, fresh.guid],
      },
      { type: 'stream_key.revoked', ...by, after: { user: user.guid }, touches: [old.guid, user.guid] },
    ])
  })

  test('with a grace leaves the old key until that is over, and rotates it once', async () => {
    const user = await api.user()
    const old = await create(user)
    const { body: fresh } = await rotate(user, old.guid, { graceSeconds: 600 })
    const keys = await list(user)
    expect(keys).toEqual([{ ...old, expiresAt: instant }, fresh])
    const left = Date.parse(keys[0].expiresAt) - Date.now()
    expect([left > 590_000, left <= 600_000]).toEqual([true, true])
    for (const { key } of keys) expect(await found(key)).toBeDefined()
    expect(outcome(await rotate(user, old.guid))).toEqual([409, 'stream_key.in_grace'])
    expect((await eventsOf(old.guid)).map(({ type }) => type)).toEqual(['stream_key.created', 'stream_key.rotated'])
    // A key in its grace period can still be revoked.
    expect((await api.delete(`${mine}/${old.guid}`, user)).status).toBe(204)
    expect(await found(old.key)).toBeUndefined()
  })

  test.each([601, -1, 1.5, '60'])('a grace of %j is refused', async (graceSeconds) => {
    const { guid: id } = await makeStreamKey(api, dev)
    expect(outcome(await rotate(dev, id, { graceSeconds }))).toEqual([400, 'request.invalid'])
  })

  test('a key whose grace is over is unknown at once, and gone within seconds', async () => {
    const user = await api.user()
    const over = await makeStreamKey(api, user, { expiresAt: new Date(Date.now() - 1) })
    expect(await found(over.key)).toBeUndefined()
    expect(await list(user)).toEqual([])
    expect(outcome(await rotate(user, over.guid))).toEqual([404, 'stream_key.unknown'])
    expect(outcome(await api.delete(`${mine}/${over.guid}`, user))).toEqual([404, 'stream_key.unknown'])
    await expect
      .poll(() => eventsOf(over.guid), { timeout: 10_000, interval: 50 })
      .toEqual([
        {
          type: 'stream_key.expired',
          actor: null,
          tournament: null,
          after: { user: user.guid },
          touches: [over.guid, user.guid],
        },
      ])
    expect(await api.sql('select from stream_keys where guid = $1', [over.guid])).toEqual([])
  })
})

describe('revoking', () => {
  test('ends a key for good', async () => {
    const user = await api.user()
    const [made, other] = [await create(user), await create(user, 'Other')]
    expect(outcome(await api.delete(`${mine}/${made.guid.toUpperCase()}`, user))).toEqual([204, null])
    expect(await list(user)).toEqual([other])
    expect(await found(made.key)).toBeUndefined()
    expect((await eventsOf(made.guid)).at(-1)).toEqual({
      type: 'stream_key.revoked',
      actor: user.guid,
      tournament: null,
      after: { user: user.guid },
      touches: [made.guid, user.guid],
    })
    expect(outcome(await api.delete(`${mine}/${made.guid}`, user))).toEqual([404, 'stream_key.unknown'])
  })

  test('somebody else’s key is as unknown as none', async () => {
    const { guid: others } = await makeStreamKey(api, await api.user())
    const texts = new Set<string>()
    for (const id of [others, nobody, 'sk-1', others.slice(1)]) {
      for (const [method, path] of [
        ['POST', `${mine}/${id}/rotate`],
        ['DELETE', `${mine}/${id}`],
      ] as const) {
        const reply = await api.call(method, path, { as: owner })
        expect(outcome(reply), path).toEqual([404, 'stream_key.unknown'])
        texts.add(reply.text)
      }
    }
    expect(texts.size).toBe(1)
  })

  test('an administrator ends anybody’s, and the log tells who', async () => {
    const [user, other] = await Promise.all([api.user(), api.user()])
    for (const admin of [owner, dev]) {
      const made = await create(user)
      const path = (of: Caller, id: string) => `/admin/users/${of.guid}/streamKeys/${id}`
      for (const id of [made.guid, nobody]) {
        expect(outcome(await api.delete(path(user, id), other))).toEqual([403, 'role.missing'])
        expect(outcome(await api.delete(path(user, id), user))).toEqual([403, 'role.missing'])
        expect(outcome(await api.delete(path(user, id), null))).toEqual([401, 'token.missing'])
      }
      expect(outcome(await api.delete(path(other, made.guid), admin))).toEqual([404, 'stream_key.unknown'])
      expect(outcome(await api.delete(`/admin/users/${nobody}/streamKeys/${made.guid}`, admin))).toEqual([
        404,
        'user.unknown',
      ])
      expect(outcome(await api.delete(path(user, made.guid), admin))).toEqual([204, null])
      expect(outcome(await api.delete(path(user, made.guid), admin))).toEqual([404, 'stream_key.unknown'])
      expect((await eventsOf(made.guid)).at(-1)).toMatchObject({ type: 'stream_key.revoked', actor: admin.guid })
    }
    expect(await list(user)).toEqual([])
  })
})

describe('using a key', () => {
  test('is written once a minute, with each new network', async () => {
    const user = await api.user()
    const made = await makeStreamKey(api, user)
    const use = (network: string, at: string) =>
      api.app.database.transaction((tx) => noteUse(tx, made, network, new Date(at)))
    const stored = async () => {
      const record = await found(made.key)
      return [record?.lastUsedAt?.toISOString(), record?.networks]
    }
    expect(await use('203.0.113.5', '2026-05-01T18:00:00.000Z')).toBe(false)
    expect(await stored()).toEqual(['2026-05-01T18:00:00.000Z', ['203.0.113.5']])
    expect((await list(user))[0].lastUsedAt).toBe('2026-05-01T18:00:00.000Z')
    expect(await use('203.0.113.5', '2026-05-01T18:00:59.999Z')).toBe(false)
    expect(await stored()).toEqual(['2026-05-01T18:00:00.000Z', ['203.0.113.5']])
    expect(await use('198.51.100.7', '2026-05-01T18:01:00.000Z')).toBe(true)
    expect(await use('203.0.113.5', '2026-05-01T18:02:00.000Z')).toBe(false)
    expect(await stored()).toEqual(['2026-05-01T18:02:00.000Z', ['198.51.100.7', '203.0.113.5']])
    // Of concurrent uses from a new network, only one counts as new.
    const both = await Promise.all([1, 2, 3].map(() => use('192.0.2.9', '2026-05-01T18:03:00.000Z')))
    expect(both.filter((isNew) => isNew)).toHaveLength(1)
    await api.delete(`${mine}/${made.guid}`, user)
    expect(await use('192.0.2.10', '2026-05-01T18:04:00.000Z')).toBe(false)
  })
})

test('giving up the account deletes its keys', async () => {
  const user = await api.user()
  const made = await create(user)
  expect((await api.delete('/users/@me', user)).status).toBe(204)
  expect(await found(made.key)).toBeUndefined()
  expect(await api.sql('select from stream_keys where user_guid = $1', [user.guid])).toEqual([])
})

test('however often keys are rotated with a grace, ten count at most', async () => {
  const user = await api.user()
  const keys = '/users/@me/streamKeys'
  const rotate = (guid: string, graceSeconds: number) => api.post(`${keys}/${guid}/rotate`, user, { graceSeconds })
  let last = (await api.post(keys, user, { label: 'Living room' })).body.guid
  for (let n = 0; n < 9; n += 1) last = (await rotate(last, 600)).body.guid
  expect((await api.get(keys, user)).body).toHaveLength(10)
  const refused = await rotate(last, 600)
  expect([refused.status, refused.headers.get('problem-code')]).toEqual([409, 'stream_key.limit_reached'])
  expect((await api.get(keys, user)).body).toHaveLength(10)
  expect((await rotate(last, 0)).status).toBe(200)
})
