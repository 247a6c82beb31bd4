import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeApplication, makePlatform, makeTeam, makeTournament } from '../../../../test/make.ts'
import { makeOverlayRow } from '../../../../test/overlay-rows.ts'
import { makeMap, makePool, publishPool } from '../../../../test/pools.ts'
import { someMaps } from '../../../../test/qualifiers.ts'
import { mirrorUrl } from '../../../core/mirror.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { enqueue } from '../../../infra/jobs/jobs.ts'
import { objectName } from '../../../infra/storage/storage.ts'
import { findMirrored } from './commands.ts'

/** Copies of external pictures. (M26) */

let api: Harness
let user: Caller
let outside: string
let answer: RequestListener
let asked: string[]
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(request, response)
})
let png: Buffer

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api = await startHarness({ webhookAllowPrivate: true }, { timeouts: { pictureMs: 1_000 } })
  user = await api.user()
  png = await picture('#cc3300')
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  asked = []
  answer = (_request, response) => response.setHeader('content-type', 'text/html').end(png)
})

function picture(background: string, width = 900): Promise<Buffer> {
  return sharp({ create: { width, height: 300, channels: 3, background } })
    .withMetadata()
    .png()
    .toBuffer()
}

let number = 0
const somewhere = () => `${outside}/${++number}.png?size=${number}`

const hold = (url: string) => api.sql('update users set avatar_url = $1 where guid = $2', [url, user.guid])

async function look(url: string, init: RequestInit = {}, from = api) {
  const response = await fetch(mirrorUrl(from.url, url), init)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const shown = (url: string) =>
  expect.poll(async () => (await look(url)).status, { interval: 20, timeout: 60_000 }).toBe(200)

/** Waits until no job is left. */
const settled = (at = api) =>
  expect
    .poll(async () => (await at.sql(`select from graphile_worker.jobs where task_identifier like 'mirror.%'`)).length, {
      interval: 20,
      timeout: 60_000,
    })
    .toBe(0)

async function sweep(): Promise<void> {
  await api.app.database.transaction((tx) => enqueue(tx, 'mirror.sweep'))
  await settled()
}

const standing = async (url: string) => {
  const [row] = await api.sql<{ minutes: number | null; kept: boolean; dropped: boolean }>(
    `select round(extract(epoch from retry_at - now()) / 60)::int as minutes, digest is not null as kept,
       dropped_at is not null as dropped from remote_pictures where url = $1`,
    [url],
  )
  return row
}

test('what a record holds is fetched after the first answer, written anew, and kept for a day', async () => {
  const url = somewhere()
  await hold(url)
  const first = await look(url)
  expect([first.status, first.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
  await shown(url)
  const { headers, bytes } = await look(url)
  const metadata = await sharp(bytes).metadata()
  expect([metadata.format, metadata.width, metadata.height]).toEqual(['webp', 512, 171])
  expect([metadata.exif, metadata.icc, metadata.xmp]).toEqual([undefined, undefined, undefined])
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'public, max-age=86400',
    'content-type': 'image/webp',
    'content-length': String(bytes.length),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    etag: expect.stringMatching(/^"[\da-f]{64}"$/),
  })
  expect(headers.getSetCookie()).toEqual([])
  const again = await look(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  const head = await look(url, { method: 'HEAD' })
  expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([200, 0, String(bytes.length)])
  expect(asked).toHaveLength(1)
  expect(await standing(url)).toMatchObject({ minutes: 1440, kept: true, dropped: false })
})

test('whoever asks for what no record holds has nothing fetched, and nothing kept', async () => {
  const held = somewhere()
  await hold(held)
  const others = [
    ...[somewhere(), `${held}#part`, `${held} `, held.toUpperCase(), held.replace('http:', 'ftp:')],
    ...['', 'a', `${api.app.config.media.url}/media/00000000-0000-4000-8000-000000000000/full.webp`],
    `https://example.org/${'a'.repeat(3_000)}`,
  ]
  for (const url of others) expect((await look(url)).status, url).toBe(404)
  for (const part of ['%00', '***', 'aHR0cDovL2E', `${Buffer.from(held).toString('base64url')}=`, '..%2f..']) {
    expect((await fetch(`${api.url}/media/remote/${part}`)).status, part).toBe(404)
  }
  expect(asked).toEqual([])
  expect(await api.sql('select from remote_pictures where url <> all($1)', [[...others]])).toHaveLength(
    (await api.sql('select from remote_pictures')).length,
  )
})

test('of many who ask at once one has it fetched', async () => {
  const url = somewhere()
  await hold(url)
  await Promise.all(Array.from({ length: 20 }, () => look(url)))
  await shown(url)
  expect(asked).toHaveLength(1)
})

describe('pictures', () => {
  test('of every record are shown', async () => {
    const tournament = await makeTournament(api, user)
    const team = await makeTeam(api, tournament, user)
    const { clientId } = await makeApplication(api, user)
    const platform = await makePlatform(api)
    const map = await makeMap(api)
    await makePool(api, tournament.guid, { status: 'published', maps: [map.guid] })
    const qualifier = await api.put(`/tournaments/${tournament.id}/qualifier`, user, {
      maps: someMaps(1),
      status: 'open',
    })
    for (const [table, column, key, guid] of [
      ['tournaments', 'image_url', 'guid', tournament.guid],
      ['tournaments', 'banner_url', 'guid', tournament.guid],
      ['teams', 'image_url', 'guid', team.guid],
      ['applications', 'image_url', 'client_id', clientId],
      ['platforms', 'image_url', 'guid', platform.guid],
      ['maps', 'image_url', 'guid', map.guid],
      ['qualifier_maps', 'image_url', 'guid', qualifier.body.maps[0].guid],
    ]) {
      const url = somewhere()
      await look(url)
      await api.sql(`update ${table} set ${column} = $1 where ${key} = $2`, [url, guid])
      await shown(url)
    }
    expect(asked).toHaveLength(7)
  })

  test('of maps are shown once others than poolers see these: they follow from the hash, and would tell what is in a draft', async () => {
    const tournament = await makeTournament(api, user)
    const [known, staged, ofQualifier, taken] = [await makeMap(api), await makeMap(api), somewhere(), somewhere()]
    const urls = [somewhere(), somewhere()] as const
    for (const [index, { guid }] of [known, staged].entries()) {
      await api.sql('update maps set image_url = $1 where guid = $2', [urls[index], guid])
    }
    const pool = await makePool(api, tournament.guid, {
      maps: [known.guid, { mapGuid: staged.guid, isReleased: false }],
    })
    const path = `/tournaments/${tournament.id}/qualifier`
    const { body } = await api.put(path, user, { maps: someMaps(2) })
    const [first, second] = body.maps as readonly [{ guid: string }, { guid: string }]
    await api.sql('update qualifier_maps set image_url = $1 where guid = $2', [ofQualifier, first.guid])
    await api.sql('update qualifier_maps set image_url = $1, pool_map_guid = $2 where guid = $3', [
      ...[taken, pool.poolMaps[1], second.guid],
    ])
    const hidden = async (...those: readonly string[]) => {
      for (const url of those) expect((await look(url)).status).toBe(404)
      await settled()
      for (const url of those) expect([(await look(url)).status, await standing(url)]).toEqual([404, undefined])
    }
    await hidden(...urls, ofQualifier, taken)
    expect(asked).toEqual([])
    await publishPool(api, pool.guid)
    await shown(urls[0])
    await hidden(urls[1], ofQualifier, taken)
    await api.sql(`update qualifiers set status = 'open' where tournament_guid = $1`, [tournament.guid])
    await shown(ofQualifier)
    await hidden(urls[1], taken)
    await api.sql('update pool_maps set released_at = now() where guid = $1', [pool.poolMaps[1]])
    await shown(urls[1])
    await shown(taken)
    expect(asked).toHaveLength(4)
  })

  test('of the casters of an overlay are shown, be they theirs no more', async () => {
    const tournament = await makeTournament(api, user)
    const { path } = await makeOverlayRow(api, tournament, user)
    const url = somewhere()
    await hold(url)
    const casters = ['', url].map((imageUrl) => ({ name: 'Ann', imageUrl, userGuid: user.guid }))
    const reply = await api.patch(`${path}/control`, user, { casters })
    expect(reply.body.casters, reply.text).toMatchObject([{ imageUrl: null }, { imageUrl: url }])
    await hold(somewhere())
    await shown(url)
    // Neither a prefix of a saved address nor an address with a user's name is a saved address.
    for (const other of [url.slice(0, -1), `${outside}/Ann`]) expect((await look(other)).status).toBe(404)
    expect(asked).toHaveLength(1)
  })
})

describe('an address that is given up with its account while somebody asks for it is neither fetched nor kept (D35)', () => {
  test('before it is noted', async () => {
    const url = somewhere()
    await hold(url)
    const late = {
      db: api.app.database.db,
      async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
        await hold(somewhere())
        return api.app.database.transaction(work)
      },
    }
    const part = Buffer.from(url).toString('base64url')
    expect(await findMirrored(late, part, api.app.config.media.url, new Date())).toBe(null)
    expect(await standing(url)).toBeUndefined()
  })

  test('while it is noted', async () => {
    const url = somewhere()
    const leaver = await api.user()
    const token = await api.token(leaver, ['rest:user:write'])
    await api.sql('update users set avatar_url = $1 where guid = $2', [url, leaver.guid])
    // A transaction that saves the same address waits for this one.
    const other = await api.app.database.pool.connect()
    await other.query('begin')
    await other.query('insert into remote_pictures (address, url) values (sha256($1::text::bytea), $1)', [url])
    const looking = look(url)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'insert into "remote_pictures"%'`
    await expect.poll(async () => (await api.sql(waiting)).length, { interval: 20 }).toBe(1)
    expect((await api.call('DELETE', '/users/@me', { token })).status).toBe(204)
    await other.query('rollback')
    other.release()
    expect((await looking).status).toBe(404)
    await settled()
    expect([asked, await standing(url)]).toEqual([[], undefined])
  })
})

describe('what cannot be had is not there, and is not asked for again before an hour has passed', () => {
  test.each<[string, RequestListener]>([
    ['no answer that holds it', (_request, response) => response.writeHead(404).end(png)],
    ['a redirect', (_request, response) => response.writeHead(302, { location: outside }).end()],
    ['no picture', (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', (_request, response) => response.end()],
    ['too much', (_request, response) => response.end(Buffer.alloc(8 * 1024 * 1024 + 1))],
    [
      'an end too soon',
      (_request, response) =>
        response.writeHead(200, { 'content-length': 10 ** 6 }).write(png, () => response.destroy()),
    ],
    ['too slow', (_request, response) => void response.write(png.subarray(0, 10))],
  ])('%s', async (_what, behaviour) => {
    answer = behaviour
    const url = somewhere()
    await hold(url)
    await look(url)
    await expect.poll(() => asked.length, { interval: 20 }).toBe(1)
    await settled()
    const refused = await look(url)
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
    expect(await standing(url)).toMatchObject({ minutes: 60, kept: false })
    expect(asked).toHaveLength(1)
    answer = (_request, response) => response.end(png)
    await api.sql(`update remote_pictures set retry_at = now() - interval '1 s' where url = $1`, [url])
    await shown(url)
    expect(asked).toHaveLength(2)
  })
})

test('a picture is renewed after a day, and shown as it was until then', async () => {
  const url = somewhere()
  await hold(url)
  await shown(url)
  const before = (await look(url)).headers.get('etag')
  png = await picture('#0033cc', 400)
  await api.sql(`update remote_pictures set retry_at = now() - interval '1 s' where url = $1`, [url])
  expect((await look(url)).headers.get('etag')).toBe(before)
  await expect
    .poll(async () => (await look(url)).headers.get('etag'), { interval: 20, timeout: 60_000 })
    .not.toBe(before)
  expect(asked).toHaveLength(2)
})

test('a picture goes 30 days after the last record dropped its address', async () => {
  const [held, dropped] = [somewhere(), somewhere()]
  await hold(dropped)
  await shown(dropped)
  await hold(held)
  await shown(held)
  await sweep()
  expect([await standing(held), await standing(dropped)]).toMatchObject([{ dropped: false }, { dropped: true }])
  expect((await look(dropped)).status).toBe(200)
  const age = (days: number) =>
    api.sql(`update remote_pictures set dropped_at = now() - $1 * interval '1 day' where url = $2`, [days, dropped])
  await age(29)
  await sweep()
  expect(await standing(dropped)).toMatchObject({ kept: true })
  await age(31)
  await sweep()
  expect(await standing(dropped)).toBeUndefined()
  expect(await standing(held)).toMatchObject({ kept: true })
  expect((await look(dropped)).status).toBe(404)
})

test('a picture goes with the account that it showed, and what is kept of it', async () => {
  const [leaver, url] = [await api.user(), somewhere()]
  png = await picture('#117733')
  await api.sql('update users set avatar_url = $1 where guid = $2', [url, leaver.guid])
  await shown(url)
  const [row] = await api.sql<{ digest: string }>(
    `select encode(digest, 'hex') as digest from remote_pictures where url = $1`,
    [url],
  )
  const object = () => api.app.services.storage.head(objectName(row?.digest ?? ''))
  expect(await object()).not.toBeNull()
  expect((await api.delete('/users/@me', leaver)).status).toBe(204)
  expect(await standing(url)).toBeUndefined()
  await expect.poll(object, { timeout: 20_000 }).toBeNull()
})

test('nothing of a private network is fetched', async () => {
  await using guarded = await startHarness()
  const caller = await guarded.user()
  const url = somewhere()
  await guarded.sql('update users set avatar_url = $1 where guid = $2', [url, caller.guid])
  expect((await look(url, {}, guarded)).status).toBe(404)
  await settled(guarded)
  expect((await guarded.sql('select from remote_pictures where digest is null')).length).toBe(1)
  expect(asked).toEqual([])
})
