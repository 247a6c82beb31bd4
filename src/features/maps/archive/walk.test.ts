import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { makeFlair, makeMaps, makePool, publishPool } from '../../../../test/pools.ts'

/** An archive in which many maps meet each single condition, and few maps meet all of them. */

const count = 2_400
let api: Harness
let organiser: Caller
let cup: MadeTournament
let guids: string[]

beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
  const flair = await makeFlair(api, cup.guid, 'Often')
  const made = await makeMaps(
    api,
    Array.from({ length: count }, (_, index) => ({
      difficulty: index % 3 === 0 ? 'Hard' : 'Expert',
      mapper: index < 1_200 ? 'Old' : 'New',
      name: `${index % 2 === 0 ? 'even' : 'odd'} ${String(index).padStart(5, '0')}`,
      nps: index < 10 || index >= 1_700 ? 9 : 5,
    })),
  )
  guids = made.map(({ guid }) => guid)
  const pool = await makePool(api, cup.guid, {
    status: 'published',
    publishedAt: new Date('2026-01-01'),
    maps: guids.map((mapGuid, index) => ({
      mapGuid,
      flairGuid: flair,
      releasedAt: new Date(Date.UTC(2026, 0, 2) + index * 1_000),
    })),
  })
  expect(pool.poolMaps).toHaveLength(count)
  await api.sql('analyze')
})
afterAll(() => api[Symbol.asyncDispose]())

async function walk(query: string, between: () => Promise<void> = async () => {}) {
  const sizes: number[] = []
  const found: string[] = []
  for (let before: string | null = ''; before !== null; ) {
    const reply = await api.get(
      `/resources/pooling/maps?${query}${before === '' ? '' : `&before=${encodeURIComponent(before)}`}`,
    )
    if (reply.status !== 200) throw new Error(reply.text)
    sizes.push(reply.body.maps.length)
    found.push(...reply.body.maps.map((map: { guid: string }) => map.guid))
    before = reply.body.nextCursor
    await between()
  }
  return { sizes, found }
}

const newestOf = (fits: (index: number) => boolean) => guids.filter((_, index) => fits(index)).toReversed()

test('pages of what is common are full', async () => {
  const { found, sizes } = await walk('limit=100&difficulty=Hard&q=even')
  expect(found).toEqual(newestOf((index) => index % 6 === 0))
  expect(sizes.slice(0, -1).every((size) => size === 100)).toBe(true)
})

test('what is common but rare together is found on pages that may be short', async () => {
  const { found, sizes } = await walk('limit=100&mapper=old&npsMin=6&flair=often')
  expect(found).toEqual(newestOf((index) => index < 10))
  expect(sizes).toEqual([0, 10])
})

test.each(['newest', 'used', 'name'])('all pages together are the whole list, by %s, while maps move', async (sort) => {
  let round = 0
  const { found } = await walk(`limit=100&sort=${sort}&q=even`, async () => {
    if (++round % 4 !== 0) return
    const pool = await makePool(api, cup.guid, { maps: guids.filter((_, index) => index % 97 === round % 97) })
    await publishPool(api, pool.guid)
  })
  const even = new Set(guids.filter((_, index) => index % 2 === 0))
  expect(found).toHaveLength(even.size)
  expect(new Set(found)).toEqual(even)
})
