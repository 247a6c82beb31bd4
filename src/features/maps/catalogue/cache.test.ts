import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CatalogueRecord } from '../../../../stand-in/records.ts'
import { type Added, type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { startFakeBeatLeader, startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { createCatalogueClient } from '../../../infra/clients/catalogue.ts'
import { createHttpClient, type HttpClient, type Unreachable } from '../../../infra/clients/http.ts'
import { createLeaderboardClients } from '../../../infra/clients/leaderboards.ts'
import { type Catalogue, type CatalogueOptions, createCatalogue } from './cache.ts'
import type { SongReference } from './types.ts'

let fake: FakeCatalogue
let a: Awaited<ReturnType<typeof startFakeScoreSaber>>
let b: Awaited<ReturnType<typeof startFakeBeatLeader>>
let api: Harness
let http: HttpClient
let clock: Date
let failures: Unreachable[]
let catalogue: Catalogue
let opened: Catalogue[] = []

beforeAll(async () => {
  ;[fake, a, b] = await Promise.all([startFakeCatalogue(), startFakeScoreSaber(), startFakeBeatLeader()])
  api = await startHarness({ catalogueUrl: fake.url, rankingAUrl: a.url, rankingBUrl: b.url })
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 1_000, maxBodyBytes: 4_000_000, connections: 4 })
})
afterAll(async () => {
  await http.close()
  await api[Symbol.asyncDispose]()
  await Promise.all([fake.close(), a.close(), b.close()])
})
beforeEach(() => {
  clock = new Date('2026-05-01T12:00:00Z')
  failures = []
  catalogue = open()
})
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()))
  opened = []
})

/** Opens the catalogue like another process does, with its own memory. */
function open(options: Partial<CatalogueOptions> = {}): Catalogue {
  const one = createCatalogue({
    database: api.app.database,
    client: createCatalogueClient({ http, baseUrl: fake.url }),
    leaderboards: createLeaderboardClients({ http, scoreSaberUrl: a.url, beatLeaderUrl: b.url }),
    patienceMs: 20_000,
    retryMs: 5,
    now: () => clock,
    onFailure: (failure) => failures.push(failure),
    ...options,
  })
  opened.push(one)
  return one
}

const minute = 60_000
const hour = 60 * minute
const wait = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
const hashRef = (hash: string): SongReference => ({ kind: 'hash', hash })
const keyRef = (key: string): SongReference => ({ kind: 'key', key })
/** Returns the paths that were requested from the catalogue while `work` ran. */
const asked = async (work: () => Promise<unknown>) => {
  const before = fake.paths.length
  await work()
  return fake.paths.slice(before)
}
const outcomes = async (references: readonly SongReference[], from = catalogue) =>
  (await from.lookUp(references)).map(({ outcome }) => outcome)
let unknowns = 0
const unknownHash = () => (++unknowns).toString(16).padStart(40, 'e')

test('references of all kinds lead to songs, in their order, and leaderboards to difficulties', async () => {
  const one = fake.maps.add({ difficulties: ['Expert', 'Lawless/Hard'] })
  const two = fake.maps.add()
  const onA = a.leaderboards.add({ hash: one.hash, difficulty: 7 })
  const onB = b.leaderboards.add({ hash: one.hash, difficulty: 5, characteristic: 'Lawless' })
  const lost = a.leaderboards.add({ hash: unknownHash(), difficulty: 9 })
  const none = unknownHash()
  const found = await catalogue.lookUp([
    keyRef(two.key),
    { kind: 'leaderboardA', id: onA },
    hashRef(none),
    { kind: 'leaderboardB', id: onB },
    { kind: 'leaderboardA', id: '1' },
    hashRef(one.hash),
    { kind: 'leaderboardA', id: lost },
    keyRef('fffff'),
    keyRef(two.key),
  ])
  const nothing = { difficulty: null, characteristic: null }
  const [of, answeredAt] = [expect.any(Object), clock]
  expect(found).toEqual([
    { outcome: 'found', hash: null, named: nothing, song: of, answeredAt },
    {
      outcome: 'found',
      hash: one.hash,
      named: { difficulty: 'Expert', characteristic: 'Standard' },
      song: of,
      answeredAt,
    },
    { outcome: 'unknown', hash: none, named: nothing, answeredAt },
    {
      outcome: 'found',
      hash: one.hash,
      named: { difficulty: 'Hard', characteristic: 'Lawless' },
      song: of,
      answeredAt,
    },
    { outcome: 'unknown', hash: null, named: nothing, answeredAt },
    { outcome: 'found', hash: one.hash, named: nothing, song: of, answeredAt },
    {
      outcome: 'unknown',
      hash: expect.stringMatching(/^e+/),
      answeredAt,
      named: { difficulty: 'ExpertPlus', characteristic: 'Standard' },
    },
    { outcome: 'unknown', hash: null, named: nothing, answeredAt },
    { outcome: 'found', hash: null, named: nothing, song: of, answeredAt },
  ])
  const keys = found.map((finding) => (finding.outcome === 'found' ? finding.song.key : null))
  expect(keys).toEqual([two.key, one.key, null, one.key, null, one.key, null, null, two.key])
  expect(await catalogue.lookUp([])).toEqual([])
})

test('the hash of an old version leads to the song as it is now', async () => {
  const { key, hash } = fake.maps.add()
  const next = fake.maps.republish(key)
  const [finding] = await catalogue.lookUp([hashRef(hash)])
  expect(finding).toMatchObject({ outcome: 'found', hash, song: { hash: next } })
  // The answer is also stored for the song's new version.
  expect(await asked(() => catalogue.lookUp([hashRef(next), keyRef(key)]))).toEqual([])
})

describe('what was answered', () => {
  test('counts for a day where there is a song, for an hour where there is none, in all processes', async () => {
    const { key, hash } = fake.maps.add()
    const board = b.leaderboards.add({ hash, difficulty: 9 })
    const none = unknownHash()
    const references = [hashRef(hash), hashRef(none), { kind: 'leaderboardB', id: board } as const, keyRef(key)]
    const boards = b.requests.length
    expect(await asked(() => catalogue.lookUp(references))).toHaveLength(2)
    const other = open()
    wait(hour - 1)
    expect(await asked(() => other.lookUp(references))).toEqual([])
    wait(1)
    expect(await asked(() => other.lookUp(references))).toEqual([`/maps/hash/${none}`])
    wait(23 * hour - 1)
    expect(await asked(() => catalogue.lookUp([hashRef(hash), keyRef(key)]))).toEqual([])
    expect(b.requests.length).toBe(boards + 1)
    wait(1)
    expect(await asked(() => catalogue.lookUp([hashRef(hash)]))).toEqual([`/maps/hash/${hash}`])
  })

  test('is shared by the services on one database', async () => {
    const { hash } = fake.maps.add()
    await using sibling = await api.sibling()
    expect(await outcomes([hashRef(hash)], api.app.clients.catalogue)).toEqual(['found'])
    expect(await asked(() => outcomes([hashRef(hash)], sibling.app.clients.catalogue))).toEqual([])
    expect(fake.requests.at(-1)?.headers['user-agent']).toMatch(/^Downbeat\/\d+\.\d+\.\d+ \(\+http:\/\/[^)]+\)$/)
  })

  test('is waited for by users as long as the service says', async () => {
    const { hash } = fake.maps.add()
    const recover = fake.misbehave(/./, { slowMs: 900 })
    await using hasty = await api.sibling({ timeouts: { cataloguePatienceMs: 50 } })
    const begun = performance.now()
    expect(await outcomes([hashRef(hash)], hasty.app.clients.catalogue)).toEqual(['unreachable'])
    expect(performance.now() - begun).toBeLessThan(800)
    recover()
  })

  test('is passed over by whoever wants it fresh, and replaced by what they learn', async () => {
    const { key, hash } = fake.maps.add()
    await catalogue.lookUp([hashRef(hash)])
    wait(minute)
    const next = fake.maps.republish(key)
    expect(await catalogue.lookUp([hashRef(hash)])).toMatchObject([{ song: { hash } }])
    expect(await catalogue.lookUp([hashRef(hash)], { fresh: true })).toMatchObject([{ song: { hash: next } }])
    expect(await asked(() => catalogue.lookUp([hashRef(hash)]))).toEqual([])
    expect(await open().lookUp([hashRef(hash)])).toMatchObject([{ song: { hash: next }, answeredAt: clock }])
    const recover = fake.misbehave(/./, { status: 400 })
    expect(await catalogue.lookUp([hashRef(hash)], { fresh: true })).toMatchObject([{ outcome: 'unreachable', hash }])
    expect(await catalogue.lookUp([hashRef(hash)])).toMatchObject([{ outcome: 'found' }])
    recover()
  })

  test('is used whatever its age while the catalogue does not answer', async () => {
    const { hash } = fake.maps.add()
    const none = unknownHash()
    const never = fake.maps.add()
    const board = a.leaderboards.add({ hash, difficulty: 7 })
    const references = [hashRef(hash), hashRef(none), { kind: 'leaderboardA', id: board } as const]
    await catalogue.lookUp(references)
    const answeredAt = clock
    wait(400 * 24 * hour)
    const recovers = [fake, a].map((one) => one.misbehave(/./, { status: 503 }))
    const found = await catalogue.lookUp([...references, hashRef(never.hash), keyRef(never.key)])
    expect(found).toMatchObject([
      { outcome: 'found', answeredAt },
      { outcome: 'unknown', answeredAt },
      { outcome: 'found', named: { difficulty: 'Expert' }, answeredAt },
      { outcome: 'unreachable', hash: never.hash },
      { outcome: 'unreachable', hash: null },
    ])
    for (const recover of recovers) recover()
    wait(minute)
    expect(await catalogue.lookUp([hashRef(hash)])).toMatchObject([{ outcome: 'found', answeredAt: clock }])
  })
})

describe('the catalogue is asked', () => {
  test('for fifty at once, in the order of first mention, each once', async () => {
    const hashes = fake.maps.addMany(113).map(({ hash }) => hash)
    const unknown = Array.from({ length: 7 }, unknownHash)
    const distinct = [...hashes.slice(0, 30), ...unknown, ...hashes.slice(30)]
    const references = [...distinct, ...hashes.slice(10, 14), ...distinct.slice(0, 1)].map(hashRef)
    const paths = await asked(() => outcomes(references))
    const sizes = paths.map((path) => path.slice('/maps/hash/'.length).split(','))
    expect(sizes.map((batch) => batch.length).toSorted((x, y) => y - x)).toEqual([50, 50, 20])
    for (const batch of sizes) expect(distinct.join()).toContain(batch.join())
    expect(new Set(sizes.flat()).size).toBe(120)
    const found = await outcomes(references)
    expect(found.filter((outcome) => outcome === 'unknown')).toHaveLength(7)
    expect(found.filter((outcome) => outcome === 'found')).toHaveLength(references.length - 7)
  })

  test('once for what many want at the same time', async () => {
    const [one, two, three] = fake.maps.addMany(3).map(({ hash }) => hashRef(hash)) as [
      SongReference,
      ...SongReference[],
    ]
    const recover = fake.misbehave(/./, { slowMs: 50 })
    const paths = await asked(() =>
      Promise.all([
        catalogue.lookUp([one, two as SongReference]),
        catalogue.lookUp([two as SongReference, one]),
        catalogue.lookUp([three as SongReference, one]),
        catalogue.lookUp([one], { fresh: true }),
      ]),
    )
    recover()
    expect(paths).toHaveLength(2)
  })

  test('by one that cannot be read not in vain for the others', async () => {
    const maps = fake.maps.addMany(3)
    fake.maps.change(maps[1]?.key as string, { metadata: 'none' as unknown as CatalogueRecord['metadata'] })
    expect(await outcomes(maps.map(({ hash }) => hashRef(hash)))).toEqual(['found', 'unreachable', 'found'])
  })

  test.each([
    [7, 7_000],
    [3_600, 600_000],
    [null, 30_000],
  ])('no more for as long as it says when it wants less: %j s', async (limitedS, silenceMs) => {
    const maps = fake.maps.addMany(3).map(({ hash }) => hashRef(hash)) as [SongReference, SongReference, SongReference]
    const onB = b.leaderboards.add({ hash: fake.maps.add().hash, difficulty: 7 })
    const recover = fake.misbehave(/./, { limitedS })
    expect(await asked(() => outcomes([maps[0]]))).toHaveLength(1)
    recover()
    wait(silenceMs - 1)
    // The pause does not apply to the ranking platforms: platform B is still asked.
    const calls = b.requests.length
    const during = [maps[1], { kind: 'leaderboardB', id: onB } as const]
    expect(await asked(async () => expect(await outcomes(during)).toEqual(['unreachable', 'unreachable']))).toEqual([])
    expect(b.requests.length).toBe(calls + 1)
    wait(1)
    expect(await outcomes([maps[2]])).toEqual(['found'])
    expect(failures.map(({ reason }) => reason)).toEqual(['limited'])
  })

  test.each(['503', 'reset', 'timeout'])('three times when it fails, then not for a minute: %s', async (how) => {
    const [first, second, third] = fake.maps.addMany(3).map(({ hash }) => hashRef(hash))
    const failing = how === 'reset' ? 'reset' : how === '503' ? { status: 503 } : { slowMs: 1_500 }
    const recover = fake.misbehave(/./, failing)
    expect(await asked(() => outcomes([first as SongReference]))).toHaveLength(3)
    recover()
    wait(minute - 1)
    expect(await asked(() => outcomes([second as SongReference]))).toEqual([])
    wait(1)
    expect(await outcomes([third as SongReference])).toEqual(['found'])
  })

  test('again after a failure, and what it says then counts', async () => {
    const { hash } = fake.maps.add()
    let calls = 0
    const recover = fake.misbehave(/./, async (_request, proper) => (++calls < 3 ? { status: 502 } : proper()))
    expect(await outcomes([hashRef(hash)])).toEqual(['found'])
    recover()
    expect([calls, failures.length]).toEqual([3, 2])
  })

  test.each([{ status: 403 }, 'malformed', { status: 302, headers: { location: '/' } }] as const)(
    'once, and others as ever, when an answer is of no use: %j',
    async (how) => {
      const maps = fake.maps.addMany(2)
      const recover = fake.misbehave(new RegExp(maps[0]?.hash as string), how)
      expect(await asked(() => outcomes([hashRef(maps[0]?.hash as string)]))).toHaveLength(1)
      expect(await outcomes([hashRef(maps[1]?.hash as string)])).toEqual(['found'])
      recover()
    },
  )
})

describe('nobody waits longer than they can', () => {
  test('and what is answered later is remembered', async () => {
    const [known, slow] = fake.maps.addMany(2) as [Added, Added]
    const hasty = open({ patienceMs: 150 })
    await hasty.lookUp([hashRef(known.hash)], { patienceMs: 10_000 })
    wait(25 * hour)
    const recover = fake.misbehave(/./, { slowMs: 600 })
    const begun = performance.now()
    expect(await outcomes([hashRef(known.hash), hashRef(slow.hash)], hasty)).toEqual(['found', 'unreachable'])
    expect(performance.now() - begun).toBeLessThan(550)
    const calls = fake.paths.length
    await expect.poll(() => outcomes([hashRef(slow.hash)], hasty), { interval: 50 }).toEqual(['found'])
    expect(fake.paths.length).toBe(calls)
    recover()
  })

  test('for a platform, which takes no more than half of the time', async () => {
    const map = fake.maps.add()
    const onA = a.leaderboards.add({ hash: map.hash, difficulty: 7 })
    const recover = a.misbehave(/./, { slowMs: 900 })
    const hasty = open({ patienceMs: 600 })
    const found = await outcomes([{ kind: 'leaderboardA', id: onA }, hashRef(map.hash)], hasty)
    expect(found).toEqual(['unreachable', 'found'])
    recover()
  })

  test('and a service that ends gives up what is under way', async () => {
    const { hash } = fake.maps.add()
    const recover = fake.misbehave(/./, { slowMs: 900 })
    const ending = open()
    const looking = outcomes([hashRef(hash)], ending)
    await expect.poll(() => fake.paths.at(-1)).toBe(`/maps/hash/${hash}`)
    const begun = performance.now()
    await ending.close()
    expect(performance.now() - begun).toBeLessThan(500)
    expect(await looking).toEqual(['unreachable'])
    expect(failures).toEqual([])
    recover()
  })
})

describe('a playlist', () => {
  test('tells its maps in order, each once, and its songs are known from then on', async () => {
    const maps = fake.maps.addMany(7)
    const { key: unpublished } = fake.maps.add({ versions: [] })
    const keys = [...maps.map(({ key }) => key), unpublished, maps[0]?.key as string]
    fake.maps.delete(keys[2] as string)
    const id = fake.playlists.add(keys, { name: 'The pool', pageSize: 4 })
    const read = await catalogue.playlist(id)
    const here = maps.filter((_, index) => index !== 2)
    expect(read).toEqual({
      outcome: 'found',
      title: 'The pool',
      hasMore: false,
      entries: [...here.map(({ key, hash }) => ({ key, hash })), { key: unpublished, hash: null }],
    })
    expect(await asked(() => catalogue.lookUp(here.map(({ key }) => keyRef(key))))).toEqual([])
    expect(await asked(() => Promise.all([catalogue.playlist(id), catalogue.playlist(id)]))).toHaveLength(4)
  })

  test('is read up to 500 maps', async () => {
    const keys = fake.maps.addMany(501).map(({ key }) => key)
    const whole = await catalogue.playlist(fake.playlists.add(keys.slice(0, 500), { pageSize: 500 }))
    expect(whole).toMatchObject({ outcome: 'found', hasMore: false })
    const longer = await catalogue.playlist(fake.playlists.add(keys, { pageSize: 300 }))
    expect(longer).toMatchObject({ outcome: 'found', hasMore: true })
    if (longer.outcome === 'found') expect(longer.entries.map(({ key }) => key)).toEqual(keys.slice(0, 500))
  })

  test('may not be there, or not be answered for in time', async () => {
    expect(await catalogue.playlist('1')).toEqual({ outcome: 'unknown' })
    const id = fake.playlists.add([fake.maps.add().key])
    const recover = fake.misbehave(/./, { slowMs: 400 })
    expect(await catalogue.playlist(id, { patienceMs: 100 })).toEqual({ outcome: 'unreachable' })
    recover()
    const fail = fake.misbehave(/playlists/, { status: 500 })
    expect(await open().playlist(id)).toEqual({ outcome: 'unreachable' })
    fail()
  })
})
