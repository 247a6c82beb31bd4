import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { difficultyOf, versionOf } from '../../../stand-in/records.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../../test/fakes/catalogue.ts'
import type { Misbehaviour } from '../../../test/fakes/server.ts'
import { type CatalogueClient, createCatalogueClient } from './catalogue.ts'
import { createHttpClient, type HttpClient } from './http.ts'

let fake: FakeCatalogue
let http: HttpClient
let catalogue: CatalogueClient

beforeEach(async () => {
  fake = await startFakeCatalogue()
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 1_000, maxBodyBytes: 500_000, connections: 4 })
  catalogue = createCatalogueClient({ http, baseUrl: fake.url })
})

afterEach(async () => {
  await http.close()
  await fake.close()
})

const none = 'f'.repeat(40)
const songByKey = async (key: string) => (await catalogue.byKeys([key])).get(key)

describe('a song', () => {
  it('has what the catalogue says of the map and its published version', async () => {
    const hash = 'ABCDEF0123456789ABCDEF0123456789ABCDEF01'
    const { key } = fake.maps.add({
      hash,
      ranked: true,
      blRanked: false,
      declaredAi: 'SageScore',
      uploaded: '2026-02-03T04:05:06.789123Z',
      metadata: { songName: 'Song', songSubName: '', songAuthorName: 'Artist', levelAuthorName: 'Mapper' },
      difficulties: [
        { ...difficultyOf('Lawless/ExpertPlus'), stars: 11.25, chroma: true, me: true, ne: true },
        { difficulty: 'Easy', blStars: 2.5, cinema: true, vivify: true, njs: 10, nps: 1.5, notes: 9, maxScore: 1 },
      ],
    })
    expect(await songByKey(key)).toEqual({
      key,
      hash: hash.toLowerCase(),
      name: 'Song',
      subName: null,
      artist: 'Artist',
      mapper: 'Mapper',
      imageUrl: `https://eu.cdn.example.org/${hash}.jpg`,
      previewUrl: `https://eu.cdn.example.org/${hash}.mp3`,
      bpm: 174.5,
      durationSeconds: 203,
      rankedA: true,
      rankedB: false,
      ai: 'declared',
      uploadedAt: '2026-02-03T04:05:06.789Z',
      difficulties: [
        {
          characteristic: 'Lawless',
          difficulty: 'ExpertPlus',
          njs: 18,
          nps: 4.123,
          notes: 812,
          bombs: 14,
          obstacles: 23,
          maxScore: 740_255,
          starsA: 11.25,
          starsB: null,
          requirements: ['chroma', 'noodle', 'mapping_extensions'],
        },
        {
          characteristic: 'Standard',
          difficulty: 'Easy',
          njs: 10,
          nps: 1.5,
          notes: 9,
          bombs: 14,
          obstacles: 23,
          maxScore: 1,
          starsA: null,
          starsB: 2.5,
          requirements: ['cinema', 'vivify'],
        },
      ],
    })
  })

  test.each([
    [{ declaredAi: 'None', automapper: false }, 'none'],
    [{ declaredAi: 'Uploader', automapper: false }, 'declared'],
    [{ declaredAi: 'Admin', automapper: false }, 'declared'],
    [{ declaredAi: 'None', automapper: true }, 'automapper'],
    [{ declaredAi: 'Admin', automapper: true }, 'automapper'],
  ] as const)('of %j is marked %s', async (given, ai) => {
    expect(await songByKey(fake.maps.add(given).key)).toMatchObject({ ai })
  })

  it('is told by texts that a reader can see, on one line, and not too long', async () => {
    const { key } = fake.maps.add({
      metadata: {
        songName: ' \u0000Line\r\none\u202e ',
        songSubName: '\u200b\u200b',
        songAuthorName: '𝔸'.repeat(300),
        levelAuthorName: `${'x'.repeat(199)} y\ud800`,
      },
    })
    expect(await songByKey(key)).toMatchObject({
      name: 'Line one',
      subName: null,
      artist: '𝔸'.repeat(200),
      mapper: 'x'.repeat(199),
    })
  })

  it('has no addresses but of the web, no numbers that cannot be, and no difficulties that nobody knows', async () => {
    const hash = '1'.repeat(40)
    const broken = difficultyOf({ njs: -1, nps: 1e12, notes: 1e300, bombs: 3.4, obstacles: -5, maxScore: 2 ** 31 })
    const unknown = [difficultyOf('Extreme'), difficultyOf('two words/Expert'), difficultyOf(`${'x'.repeat(33)}/Easy`)]
    const version = versionOf(hash, [broken, ...unknown])
    const { key } = fake.maps.add({
      uploaded: 'yesterday',
      lastPublishedAt: '9'.repeat(50),
      createdAt: '0001-01-01T00:00:00Z',
      metadata: { bpm: -3, duration: 1e40 },
      versions: [{ ...version, coverURL: 'javascript:alert(1)', previewURL: `https://e.example/${'x'.repeat(500)}` }],
    })
    expect(await songByKey(key)).toMatchObject({
      imageUrl: null,
      previewUrl: null,
      bpm: null,
      durationSeconds: null,
      uploadedAt: null,
      difficulties: [{ njs: null, nps: null, notes: null, bombs: 3, obstacles: null, maxScore: null }],
    })
  })

  it('need not have what the catalogue may leave out', async () => {
    const hash = '2'.repeat(40)
    const diffs = [{ characteristic: 'Standard', difficulty: 'Expert' }]
    const body = { id: 'AB', metadata: {}, versions: [{ hash, diffs }], uploader: null }
    fake.misbehave(/./, { status: 200, body })
    expect((await catalogue.byHashes([hash])).get(hash)).toMatchObject({
      key: 'ab',
      hash,
      name: null,
      bpm: null,
      ai: 'none',
      rankedA: false,
      uploadedAt: null,
      imageUrl: null,
      difficulties: [{ difficulty: 'Expert', notes: null, requirements: [] }],
    })
  })

  it('is that of the version that is published, whichever else there are', async () => {
    const [old, published, next] = ['3', '4', '5'].map((digit) => digit.repeat(40)) as [string, string, string]
    const { key } = fake.maps.add({
      versions: [versionOf(old, [], 'Uploaded'), versionOf(published, []), versionOf(next, [], 'Scheduled')],
    })
    expect(await songByKey(key)).toMatchObject({ hash: published })
    const { key: draft } = fake.maps.add({ versions: [versionOf('6'.repeat(40), [], 'Feedback')] })
    expect(await songByKey(draft)).toBeNull()
    const { key: empty } = fake.maps.add({ versions: [] })
    expect(await songByKey(empty)).toBeNull()
  })
})

describe('maps are asked for', () => {
  it('by hash: one alone, and several in one question', async () => {
    const [one, two] = fake.maps.addMany(2) as [{ key: string; hash: string }, { key: string; hash: string }]
    expect((await catalogue.byHashes([one.hash])).get(one.hash)).toMatchObject({ key: one.key })
    expect(await catalogue.byHashes([none])).toEqual(new Map([[none, null]]))
    const songs = await catalogue.byHashes([two.hash, none, one.hash])
    expect([...songs].map(([hash, song]) => [hash, song?.key ?? null])).toEqual([
      [two.hash, two.key],
      [none, null],
      [one.hash, one.key],
    ])
    expect(fake.paths).toEqual([
      `/maps/hash/${one.hash}`,
      `/maps/hash/${none}`,
      `/maps/hash/${two.hash},${none},${one.hash}`,
    ])
  })

  it('by the hash of an older version, too', async () => {
    const { key, hash } = fake.maps.add()
    const next = fake.maps.republish(key)
    expect((await catalogue.byHashes([hash])).get(hash)).toMatchObject({ key, hash: next })
    fake.maps.delete(key)
    expect((await catalogue.byHashes([hash, next])).get(hash)).toBeNull()
  })

  it('by key, where unknown ones are left out of the answer', async () => {
    const { key } = fake.maps.add()
    const songs = await catalogue.byKeys([key, 'fff'])
    expect([...songs].map(([name, song]) => [name, song?.key ?? null])).toEqual([
      [key, key],
      ['fff', null],
    ])
    expect(await catalogue.byKeys([])).toEqual(new Map())
    expect(fake.paths).toEqual([`/maps/ids/${key},fff`])
  })

  it('never more than fifty at once, and by nothing that could lead elsewhere', async () => {
    const hashes = Array.from({ length: 51 }, (_, index) => index.toString(16).padStart(40, '0'))
    await expect(catalogue.byHashes(hashes)).rejects.toThrow(RangeError)
    await expect(catalogue.byHashes(['../../x'])).rejects.toThrow(RangeError)
    await expect(catalogue.byKeys(['1a2b3', '1?x'])).rejects.toThrow(RangeError)
    expect(fake.requests).toEqual([])
    expect((await catalogue.byHashes(hashes.slice(1))).size).toBe(50)
  })

  it('and what cannot be read of one hides none of the others', async () => {
    const [one, two] = fake.maps.addMany(2) as [{ key: string; hash: string }, { key: string; hash: string }]
    fake.maps.change(one.key, { versions: 'none' as unknown as [] })
    expect([...(await catalogue.byKeys([one.key, two.key])).keys()]).toEqual([two.key])
    await expect(catalogue.byKeys([one.key])).rejects.toMatchObject({ reason: 'invalid_answer' })
  })

  test.each<[Misbehaviour, object]>([
    ['malformed', { reason: 'invalid_answer' }],
    ['reset', { reason: 'reset' }],
    [{ status: 200, body: '<html>' }, { reason: 'invalid_answer' }],
    [{ status: 200, body: [] }, { reason: 'invalid_answer' }],
    [{ status: 200, body: null }, { reason: 'invalid_answer' }],
    [
      { status: 302, headers: { location: '/elsewhere' } },
      { reason: 'failing', status: 302 },
    ],
    [{ status: 500 }, { reason: 'failing', status: 500 }],
    [{ limitedS: 17 }, { reason: 'limited', retryAfterMs: 17_000 }],
    [{ limitedS: null }, { reason: 'limited', retryAfterMs: null }],
    [{ slowMs: 3_000 }, { reason: 'timeout' }],
    [{ status: 200, body: 'x'.repeat(500_001) }, { reason: 'too_large' }],
  ])('when the answer is %j there is none', async (how, failure) => {
    const { key } = fake.maps.add()
    fake.misbehave(/./, how)
    await expect(catalogue.byKeys([key])).rejects.toMatchObject({ name: 'Unreachable', ...failure })
    expect(fake.requests.length).toBe(1)
  })

  it('until whoever asks gives up', async () => {
    fake.misbehave(/./, { slowMs: 3_000 })
    const reason = new Error('enough')
    await expect(catalogue.byKeys(['1'], AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(fake.requests).toEqual([])
  })
})

describe('a playlist', () => {
  it('is read page by page, in its order, without maps that are gone', async () => {
    const maps = fake.maps.addMany(5)
    const keys = maps.map(({ key }) => key)
    const id = fake.playlists.add(keys, { name: 'Pool', pageSize: 3 })
    fake.maps.delete(keys[1] as string)
    const [first, second, third] = await Promise.all([0, 1, 2].map((page) => catalogue.playlistPage(id, page)))
    expect(first).toMatchObject({ title: 'Pool', items: [{ key: keys[0] }, { key: keys[2] }] })
    expect(first?.items[0]?.song?.hash).toBe(maps[0]?.hash)
    expect(second?.items.map(({ key }) => key)).toEqual(keys.slice(3))
    expect(third?.items).toEqual([])
    expect(await catalogue.playlistPage('1', 0)).toBeNull()
    expect(await catalogue.playlistPage('../maps', 0)).toBeNull()
  })

  it('has maps without a published version, too', async () => {
    const { key } = fake.maps.add({ versions: [] })
    const page = await catalogue.playlistPage(fake.playlists.add([key]), 0)
    expect(page?.items).toEqual([{ key, song: null }])
  })
})

test('the catalogue answers a ping whatever it says', async () => {
  await catalogue.ping()
  fake.misbehave(/./, { status: 503 })
  await catalogue.ping()
  await fake.close()
  await expect(catalogue.ping()).rejects.toMatchObject({ name: 'Unreachable' })
})
