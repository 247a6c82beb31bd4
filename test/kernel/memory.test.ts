import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import type { Operation } from '../../src/core/operation.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../fakes/catalogue.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import { openWire, requestText, type Wire } from './raw.ts'
import { type Service, startService } from './service.ts'

/** The memory of the service's process for any requests: every cache has a limit of bytes. */

const maxMb = 350

let api: Harness
let world: World
let owner: Caller
let service: Service
let catalogue: FakeCatalogue
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  catalogue = await startFakeCatalogue()
  service = await startService({
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    BEATSAVER_API_URL: catalogue.url,
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await catalogue.close()
})

const agent = new Agent({ keepAlive: true, maxSockets: 32 })
afterAll(() => agent.destroy())

interface Asked {
  readonly path: string
  readonly method?: string
  readonly token?: string | null
  readonly type?: string
  readonly body?: string
}

/** Returns the status, and reads the body without keeping it. */
function ask({ path, method = 'GET', token = null, type = 'application/json', body }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      origin: api.app.config.publicUrl,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    }
    const sent = request(`${service.url}${path}`, { method, headers, agent }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0))
    })
    sent.once('error', reject).end(body)
  })
}

/** Sends `count` requests, many of them concurrently. */
async function askMany(count: number, next: (index: number) => Asked): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let index = 0
  const work = async () => {
    while (index < count) {
      const status = await ask(next(index++))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return statuses
}

/** In megabytes: the resident memory of the process, and the size of its cached responses. */
async function figures(): Promise<{ readonly resident: number; readonly remembered: number }> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 1e6
  return { resident: of('process_resident_memory_bytes'), remembered: of('http_remembered_bytes') }
}

const timeout = 240_000

test('20,000 anonymous reads that differ in what nobody knows are a few answers', { timeout }, async () => {
  const paths = [
    `/api/users/${world.member.guid}/card`,
    `/api/tournaments/${world.tournament.guid}`,
    `/api/tournaments/${world.tournament.guid}/teams`,
    '/api/tournaments',
  ]
  const statuses = await askMany(20_000, (index) => ({ path: `${paths[index % paths.length]}?unknown=${index}` }))
  expect(statuses).toEqual(new Map([[200, 20_000]]))
  const { resident, remembered } = await figures()
  expect(remembered).toBeGreaterThan(0)
  expect(remembered).toBeLessThan(0.1)
  expect(resident).toBeLessThan(maxMb)
})

test('thousands of answers, small and large, are remembered up to their bound', { timeout }, async () => {
  const users = await api.sql<{ guid: string }>(
    `insert into users (chat_platform_id, username, preferred_name, avatar_url)
     select '7000000000' || n, 'many' || n, 'many' || n, '' from generate_series(1, 8000) n returning guid`,
  )
  await api.sql(
    `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
     select gen_random_uuid(), $1, $2, 'Update ' || n, repeat('long words ', 400), '[]', '' from generate_series(1, 100) n`,
    [world.tournament.guid, world.organiser.guid],
  )
  const list = `/api/tournaments/${world.tournament.guid}/updates?limit=`
  const cards = await askMany(8_000, (index) => ({ path: `/api/users/${users[index]?.guid}/card` }))
  const lists = await askMany(100, (index) => ({ path: `${list}${1 + (index % 50)}` }))
  expect([cards, lists]).toEqual([new Map([[200, 8_000]]), new Map([[200, 100]])])
  const { resident, remembered } = await figures()
  expect(remembered).toBeGreaterThan(20)
  expect(remembered).toBeLessThan(51)
  expect(resident).toBeLessThan(maxMb)
})

const junk = [null, 0, -1, 1e308, true, '', 'x'.repeat(2_000), '💥', [], [[]], {}, { a: { b: [1] } }]

/** Requests of a client that ignores the description, or of an attacker. */
function* fuzzOf(operation: Operation): Generator<Asked> {
  const path = `${operation.root ? '' : '/api'}${addressOf(operation, world).replace(/^\/\//, '/')}`
  const members = Object.keys(operation.query?.properties ?? {})
  const values = ['1', 'x', '', '-1', '%00']
  const queries = ['', '?x=1', ...members.flatMap((name) => values.map((value) => `?${name}=${value}`))]
  const { body: schema } = operation as { body?: { properties?: object } }
  const names = Object.keys(schema?.properties ?? {})
  const bodies = [
    ...junk,
    ...junk.map((value) => Object.fromEntries(names.map((name) => [name, value]))),
    ...names.flatMap((name) => junk.map((value) => ({ [name]: value }))),
  ].map((body) => JSON.stringify(body))
  for (const token of [null, owner.token, world.captain.token]) {
    for (const query of queries) {
      const asked = { path: `${path}${query}`, method: operation.method, token }
      if (operation.kind === 'query') yield asked
      else {
        for (const body of bodies) yield { ...asked, body }
        yield { ...asked, type: 'application/x-www-form-urlencoded', body: 'grant_type=x&client_id=y' }
      }
    }
  }
}

test('a fuzz of every operation', { timeout }, async () => {
  // A third of all requests, for each operation and caller.
  const all = operations.flatMap((operation) => [...fuzzOf(operation)]).filter((_, index) => index % 3 === 0)
  const statuses = await askMany(all.length, (index) => all[index] as Asked)
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(400)).toBeGreaterThan(1_000)
  expect((await figures()).resident).toBeLessThan(maxMb)
})

test('hundreds of slow forms and bodies at once', { timeout }, async () => {
  const before = (await figures()).resident
  // The owner from above may have given up their account.
  const { token } = await api.user()
  const wires: Wire[] = []
  const begin = async (line: string, type: string, length: number, sent: number) => {
    const wire = await openWire(service.url)
    wires.push(wire)
    const headers = [`Authorization: Bearer ${token}`, `Content-Type: ${type}`, `Content-Length: ${length}`]
    wire.send(requestText(line, headers))
    wire.send('x'.repeat(sent))
  }
  const form = 'application/x-www-form-urlencoded'
  for (let index = 0; index < 300; index++) {
    await begin('POST /api/oauth/token', form, 1_000_000, 900_000)
    await begin('POST /api/oauth/token', form, 32_000, 31_000)
    await begin('POST /api/updateUserSettings', 'application/json', 1_000_000, 900_000)
  }
  expect(await ask({ path: '/api/updateUserSettings', method: 'POST', token, body: '{"grip":"x"}' })).toBe(200)
  // They send 550 MB, of which 24 MB may be kept.
  expect((await figures()).resident - before).toBeLessThan(150)
  for (const wire of wires) wire[Symbol.dispose]()
})
