import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { follow } from '../../src/infra/events/follow.ts'
import { openWake } from '../../src/infra/events/wake.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { makeTournament } from '../make.ts'
import { addressOf, makeWorld, type World } from '../world.ts'

/** The guarantees of reads: validators, caching headers, and never an outdated state. (D11, D12) */

let api: Harness
let twin: Harness
let world: World
beforeAll(async () => {
  api = await startHarness()
  twin = await api.sibling()
  world = await makeWorld(api)
})
afterAll(async () => {
  await twin[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const cachingOf = ({ headers }: Reply) => [headers.get('cache-control'), headers.get('vary')]
const varying = 'Authorization, Accept'
/** For responses that are compressed for clients that accept it. */
const coded = `${varying}, Accept-Encoding`
const kept = ['public, max-age=60', coded]
const revalidated = ['public, max-age=0, must-revalidate', coded]
const plain = ['public, max-age=0, must-revalidate', varying]
const unkept = ['private, no-store', varying]
const revoked = 'eyJhbGciOiJub25lIn0.e30.'

describe('caching', () => {
  const rows: [string, () => string, (string | null)[]][] = [
    ['the card', () => `/users/${world.member.guid}/card`, kept],
    ['a public user', () => `/users/${world.member.guid}`, plain],
    ['a public list', () => '/users', revalidated],
    ['the list of tournaments', () => '/tournaments', revalidated],
    ['a public tournament', () => `/tournaments/${world.tournament.guid}`, revalidated],
    ['the teams of a public tournament', () => `/tournaments/${world.tournament.guid}/teams`, revalidated],
    ['the public key', () => '/requestPublicSignature', plain],
    ['the key set', () => '//.well-known/jwks.json', plain],
    ['the description', () => '/openapi.json', revalidated],
  ]
  test.each(rows)(
    'of %s is public for anonymous callers, and nobody else may keep it',
    async (what, address, expected) => {
      const anonymous = await api.get(address())
      expect([anonymous.status, ...cachingOf(anonymous)]).toEqual([200, ...expected])
      if (what === 'the description') return
      for (const options of [{ as: world.captain }, { token: revoked }, { headers: { authorization: 'Basic dTpw' } }]) {
        const reply = await api.call('GET', address(), options)
        const [caching, varies] = cachingOf(reply)
        expect([reply.status, caching]).toEqual([200, 'private, no-store'])
        expect([varying, coded]).toContain(varies)
      }
    },
  )

  test('of what only some may see is forbidden', async () => {
    for (const address of [
      '/users/@me',
      '/notifications',
      '/users/@me/sessions',
      `/tournaments/${world.tournament.guid}/permissions`,
    ]) {
      const reply = await api.get(address, world.organiser)
      if (reply.status !== 200) continue
      expect([address, ...cachingOf(reply)]).toEqual([address, ...unkept])
    }
  })

  test('of a refusal, and of the answer to a change, is forbidden', async () => {
    const refusals = await Promise.all([
      api.get('/users/1/card'),
      api.get('/users/1/card', world.captain),
      api.get('/users/@me'),
      api.get('/no/such/thing'),
      api.get('/users?limit=0'),
      api.get('/users/%zz'),
    ])
    for (const reply of refusals) expect(cachingOf(reply)).toEqual(unkept)
    const change = await api.post('/updateUserSettings', world.captain, { grip: 'claw' })
    expect(cachingOf(change)).toEqual(unkept)
  })
})

describe('an entity tag', () => {
  // It is streamed while it is made, and too large to be kept in memory for a tag.
  const streamed = ['scenes.readPackage']
  const reads = operations.filter(
    ({ name, method, kind }) => method === 'GET' && kind === 'query' && !streamed.includes(name),
  )

  test.each(reads.map((operation) => [operation.name, operation] as const))(
    'of %s is strong, made of the bytes, the same on every process, and saves sending them again',
    async (_name, operation) => {
      const address = addressOf(operation, world)
      for (const as of [null, world.organiser]) {
        const first = await api.get(address, as)
        if (first.status !== 200) continue
        const tag = first.headers.get('etag') ?? ''
        expect(tag).toMatch(/^"[\w-]{27}"$/)
        const [again, elsewhere] = await Promise.all([api.get(address, as), twin.get(address, as)])
        if (again.text === first.text) expect(again.headers.get('etag')).toBe(tag)
        if (elsewhere.text === first.text) expect(elsewhere.headers.get('etag')).toBe(tag)
        for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const fresh = await twin.get(address, as, { 'if-none-match': condition })
          // A response with the current time differs in each call.
          if (fresh.status === 200 && fresh.text !== first.text) continue
          expect([condition, fresh.status, fresh.text]).toEqual([condition, 304, ''])
          expect(cachingOf(fresh)).toEqual(cachingOf(first))
          expect(fresh.headers.get('content-type')).toBeNull()
          if (condition !== '*') expect(fresh.headers.get('etag')).toBe(tag)
        }
        const stale = await twin.get(address, as, { 'if-none-match': '"other"' })
        expect(stale.status).toBe(200)
      }
    },
  )

  test('changes with the record, remembered or not', async () => {
    const user = await api.user()
    for (const address of [`/users/${user.guid}/card`, `/users/${user.guid}`]) {
      const tags = new Set<string | null>()
      for (const preferredName of ['one', 'two', 'three']) {
        await api.post('/updateUserSettings', user, { preferredName, description: preferredName })
        const [here, there] = await Promise.all([api.get(address), twin.get(address)])
        expect(here.text).toBe(there.text)
        expect(here.headers.get('etag')).toBe(there.headers.get('etag'))
        tags.add(here.headers.get('etag'))
      }
      expect(tags.size).toBe(3)
    }
  })

  test('is on the pages and the description too', async () => {
    for (const address of ['/openapi.json', '/docs/']) {
      const reply = await api.get(address)
      const tag = reply.headers.get('etag') ?? ''
      expect([address, reply.status, tag]).toEqual([address, 200, expect.stringMatching(/^"[\w-]{27}"$/)])
      expect((await api.get(address, null, { 'if-none-match': tag })).status).toBe(304)
    }
    const { text, headers } = await api.get('/openapi.json')
    expect(headers.get('etag')).toBe(`"${hash('sha1', text, 'base64url')}"`)
  })
})

describe('an answer of one caller', () => {
  test('is never given to another, however the calls are mixed', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => api.user()))
    const draft = await makeTournament(api, callers[0] as Caller, { status: 'draft' })
    const mine = async (caller: Caller, service: Harness) => {
      const reply = await service.get('/users/@me', caller)
      return reply.body.guid === caller.guid
    }
    const hidden = async (caller: Caller | null, service: Harness) => {
      const reply = await service.get(`/tournaments/${draft.guid}`, caller)
      return reply.status === (caller === callers[0] ? 200 : 404)
    }
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const service = index % 2 ? api : twin
        const caller = callers[index % callers.length] as Caller
        return index % 3 ? mine(caller, service) : hidden(index % 4 ? caller : null, service)
      }),
    )
    expect(outcomes).not.toContain(false)
  })

  test('with a token is not what anonymous callers get from memory', async () => {
    const user = await api.user()
    const address = `/users/${user.guid}/card`
    const anonymous = await api.get(address)
    await api.get(address)
    const signedIn = await api.get(address, user)
    expect(cachingOf(anonymous)).toEqual(kept)
    expect(cachingOf(signedIn)).toEqual(['private, no-store', coded])
    expect(cachingOf(await api.get(address))).toEqual(kept)
  })
})

describe('whoever was told of a state', () => {
  const versionOf = (reply: Reply) => Number(reply.body.pronouns?.slice(1) ?? 0)

  test('never reads an older one: a remembered card under concurrent writes and reads on two processes', async () => {
    const services = [api, twin]
    const users = await Promise.all(Array.from({ length: 3 }, () => api.user()))
    const startedAt = performance.now()
    let reads = 0
    let writes = 0
    const isEnough = () => {
      const seconds = (performance.now() - startedAt) / 1000
      return (seconds > 3 && writes > 100 && reads > 2_000) || seconds > 20
    }

    const stories = users.map(async (user) => {
      /** The newest version in any response to a write or a read. */
      let told = 0
      const write = async () => {
        for (let version = 1; !isEnough(); version++) {
          const service = services[version % 2] as Harness
          const reply = await service.post('/updateUserSettings', user, { pronouns: `v${version}` })
          expect(reply.status).toBe(200)
          told = Math.max(told, version)
          writes++
          if (version % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 15))
        }
      }
      const read = async (which: number) => {
        for (let turn = 0; !isEnough(); turn++) {
          const floor = told
          const reply = await (services[(turn + which) % 2] as Harness).get(`/users/${user.guid}/card`)
          const version = versionOf(reply)
          if (version < floor) expect.fail(`read version ${version} after version ${floor} was told of`)
          told = Math.max(told, version)
          reads++
        }
      }
      await Promise.all([write(), read(0), read(1), read(0)])
    })
    await Promise.all(stories)
    expect(writes).toBeGreaterThan(100)
    expect(reads).toBeGreaterThan(500)
  })

  test('never reads an older one after its event was delivered', async () => {
    const user = await api.user()
    const { database, config } = api.app
    const failures: unknown[] = []
    const wake = await openWake(database, { connectionString: config.databaseUrl as string }, (error) =>
      failures.push(error),
    )
    const address = `/users/${user.guid}/card`
    let checked = 0
    const stop = follow(
      database,
      wake,
      {
        name: 'test.reads',
        from: 'now',
        types: ['user.updated'],
        gatherMs: 20,
        async handle(tx, events) {
          if (!events.some(({ subject }) => subject === user.guid)) return
          const { rows } = await tx.session.client.query('select pronouns from users where guid = $1', [user.guid])
          const floor = Number(rows[0].pronouns.slice(1))
          for (const service of [api, twin]) {
            const version = versionOf(await service.get(address))
            if (version < floor) failures.push(`read ${version} after the event of ${floor}`)
            checked++
          }
        },
      },
      (error) => failures.push(error),
    )
    await Promise.all([api.get(address), twin.get(address)])
    for (let version = 1; version <= 40; version++) {
      await api.post('/updateUserSettings', user, { pronouns: `v${version}` })
      await Promise.all([api.get(address), twin.get(address)])
    }
    await expect.poll(() => checked).toBeGreaterThan(4)
    await stop()
    await wake.close()
    expect(failures).toEqual([])
  })

  test('never sees a right that was taken away', async () => {
    const [target, owner] = await Promise.all([api.user(), api.user({ globalRoles: ['role:owner'] })])
    for (let round = 0; round < 10; round++) {
      const signedIn = await api.token(target, ['rest:read'])
      for (const service of [api, twin])
        expect((await service.call('GET', '/users/@me', { token: signedIn })).status).toBe(200)
      const banned = await api.patch(`/admin/users/${target.guid}`, owner, { banned: true })
      expect(banned.status).toBe(200)
      for (const service of [twin, api]) {
        expect((await service.call('GET', '/users/@me', { token: signedIn })).status).toBe(401)
      }
      await twin.patch(`/admin/users/${target.guid}`, owner, { banned: false })
    }
  })
})
