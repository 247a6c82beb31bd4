import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFakeBeatLeader, startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { RankingClient } from '../../../infra/clients/ranking.ts'
import { createRankingCache, type RankingCache } from './cache.ts'
import type { Account, RankingPlatform } from './types.ts'

let a: Awaited<ReturnType<typeof startFakeScoreSaber>>
let b: Awaited<ReturnType<typeof startFakeBeatLeader>>
let api: Harness
let cache: RankingCache
let clock: Date
let failures: Unreachable[]

beforeAll(async () => {
  a = await startFakeScoreSaber()
  b = await startFakeBeatLeader()
  api = await startHarness({ rankingAUrl: a.url, rankingBUrl: b.url })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await Promise.all([a.close(), b.close()])
})
beforeEach(() => {
  clock = new Date('2026-05-01T12:00:00Z')
  failures = []
  cache = cacheOf({ 'ranking-a': api.app.clients.rankings.a, 'ranking-b': api.app.clients.rankings.b })
})

function cacheOf(clients: Record<RankingPlatform, RankingClient>): RankingCache {
  return createRankingCache({
    database: api.app.database,
    clients,
    now: () => clock,
    onFailure: (failure) => failures.push(failure),
  })
}

const minute = 60_000
const wait = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
const onA = (externalId: string): Account => ({ platform: 'ranking-a', externalId })
const onB = (externalId: string): Account => ({ platform: 'ranking-b', externalId })
const findOne = async (account: Account, from = cache) => [...(await from.find([account])).values()][0]
/** How many times a platform is asked while `work` runs. */
const calls = async (platform: { readonly requests: readonly unknown[] }, work: () => Promise<unknown>) => {
  const before = platform.requests.length
  await work()
  return platform.requests.length - before
}

test('tells country and rank of accounts on both platforms, by platform and ID', async () => {
  const onBoth = a.players.add({ country: 'CA', rank: 17 })
  b.players.add({ id: onBoth.id, country: 'not set', rank: 0 })
  const found = await cache.find([onA(onBoth.id), onB(onBoth.id)])
  expect(found.get(`ranking-a:${onBoth.id}`)).toMatchObject({ country: 'CA', rank: 17 })
  expect(found.get(`ranking-b:${onBoth.id}`)).toMatchObject({ country: null, rank: null })
  expect(found.size).toBe(2)
})

test('asks for an account once in ten minutes, in whichever process', async () => {
  const { id } = a.players.add({ rank: 50 })
  expect(await calls(a, () => cache.find([onA(id), onA(id)]))).toBe(1)
  a.players.change(id, { rank: 40 })
  wait(10 * minute - 1)
  const other = cacheOf({ 'ranking-a': api.app.clients.rankings.a, 'ranking-b': api.app.clients.rankings.b })
  expect(await calls(a, async () => expect(await findOne(onA(id), other)).toMatchObject({ rank: 50 }))).toBe(0)
  wait(1)
  expect(await calls(a, async () => expect(await findOne(onA(id), other)).toMatchObject({ rank: 40 }))).toBe(1)
})

test('an account that is gone is known to be gone, and not asked for again at once', async () => {
  const gone = onA('76561190000000001')
  expect(await findOne(gone)).toMatchObject({ name: null, country: null, rank: null })
  expect(await calls(a, () => findOne(gone))).toBe(0)
})

test('what a platform said last counts for a day while it fails, and nothing does after that', async () => {
  const { id } = a.players.add({ rank: 5 })
  await findOne(onA(id))
  const recover = a.misbehave(/./, { status: 503 })
  wait(24 * 60 * minute - 1)
  expect(await findOne(onA(id))).toMatchObject({ rank: 5 })
  wait(1)
  expect(await findOne(onA(id))).toBe('unreachable')
  expect(failures.map(({ reason }) => reason)).toEqual(['failing', 'failing'])
  recover()
  expect(await findOne(onA(id))).toMatchObject({ rank: 5 })
})

test('one account’s failure does not hide the others', async () => {
  const players = [a.players.add(), a.players.add(), a.players.add()]
  const recover = a.misbehave(new RegExp(`/player/${players[1]?.id}/`), 'malformed')
  const found = [...(await cache.find(players.map(({ id }) => onA(id)))).values()]
  recover()
  expect(found.map((finding) => finding === 'unreachable')).toEqual([false, true, false])
})

test('a platform that asks to be left alone is left alone for as long as it asks, the other one is not', async () => {
  const ids = [b.players.add().id, b.players.add().id]
  const { id: idOnA } = a.players.add()
  const recover = b.misbehave(/./, { limitedS: 20 })
  expect(await findOne(onB(ids[0] as string))).toBe('unreachable')
  recover()
  wait(20_000 - 1)
  const found = await calls(b, async () => {
    const findings = await cache.find([onB(ids[1] as string), onA(idOnA)])
    expect([...findings.values()].map((finding) => finding === 'unreachable')).toEqual([true, false])
  })
  expect(found).toBe(0)
  wait(1)
  expect(await findOne(onB(ids[1] as string))).not.toBe('unreachable')
})

test.each([
  { reason: 'timeout', retryAfterMs: null, pauseMs: 5_000 },
  { reason: 'refused', retryAfterMs: null, pauseMs: 5_000 },
  { reason: 'dns', retryAfterMs: null, pauseMs: 5_000 },
  { reason: 'limited', retryAfterMs: null, pauseMs: 5_000 },
  { reason: 'limited', retryAfterMs: 1_000, pauseMs: 5_000 },
  { reason: 'limited', retryAfterMs: 3_600_000, pauseMs: 60_000 },
  { reason: 'failing', retryAfterMs: null, pauseMs: 0 },
  { reason: 'reset', retryAfterMs: null, pauseMs: 0 },
  { reason: 'too_large', retryAfterMs: null, pauseMs: 0 },
  { reason: 'invalid_answer', retryAfterMs: null, pauseMs: 0 },
] as const)(
  'after $reason (asked to wait $retryAfterMs ms) the platform is left alone for $pauseMs ms',
  async (row) => {
    let asked = 0
    const profile = async () => {
      asked++
      throw new Unreachable(row.reason, 'ranking.example', { retryAfterMs: row.retryAfterMs })
    }
    const broken: RankingClient = { profile, ping: async () => {} }
    const own = cacheOf({ 'ranking-a': broken, 'ranking-b': broken })
    await findOne(onA('1'), own)
    if (row.pauseMs > 0) {
      wait(row.pauseMs - 1)
      await findOne(onA('2'), own)
      expect(asked).toBe(1)
      wait(1)
    }
    await findOne(onA('3'), own)
    expect(asked).toBe(2)
  },
)

test('asks four accounts at a time, and those who want the same one share the call', async () => {
  let running = 0
  let most = 0
  let asked = 0
  let takesMs = 5
  const slow: RankingClient = {
    async profile(externalId) {
      asked++
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, takesMs))
      running--
      const profile = { externalId, name: externalId, country: 'SE', rank: 1, banned: false, inactive: false }
      return { ...profile, profileText: null, chatPlatformId: null }
    },
    ping: async () => {},
  }
  const own = cacheOf({ 'ranking-a': slow, 'ranking-b': slow })
  const accounts = Array.from({ length: 16 }, (_, index) => onA(`88${index}`))
  await own.find(accounts)
  expect([most, asked]).toEqual([4, 16])
  wait(10 * minute)
  asked = 0
  // Longer than each of the three needs to find out that it has to ask.
  takesMs = 500
  await Promise.all([own.find([onA('880')]), own.find([onA('880')]), own.find([onA('880')])])
  expect(asked).toBe(1)
})

test('a changed country is on the card that is read next, and an unchanged one is no event', async () => {
  const clef = await api.user({ name: 'clef' })
  const { id } = a.players.add({ country: 'NO' })
  await link(clef, 'ranking-a', id)
  const country = async () => (await api.get(`/users/${clef.guid}/card`)).body.country
  expect(await country()).toBeNull()
  await findOne(onA(id))
  expect(await country()).toBe('NO')
  a.players.change(id, { country: 'FI' })
  wait(10 * minute)
  await findOne(onA(id))
  expect(await country()).toBe('FI')
  const events = async () => (await api.sql("select from event_log where type = 'ranking.refreshed'")).length
  const before = await events()
  wait(10 * minute)
  await findOne(onA(id))
  expect(await events()).toBe(before)
})

test('a rank that has changed is told of: standings and overlays show it', async () => {
  const clef = await api.user({ name: 'clef' })
  const { id } = a.players.add({ country: 'NO', rank: 12 })
  await link(clef, 'ranking-a', id)
  await findOne(onA(id))
  a.players.change(id, { rank: 11 })
  wait(10 * minute)
  await findOne(onA(id))
  const emitted = await api.sql(
    "select touches from event_log where type = 'ranking.refreshed' order by seq desc limit 1",
  )
  expect(emitted).toEqual([{ touches: [clef.guid] }])
  const ranks = await api.sql('select rank from ranking_profiles where external_id = $1', [id])
  expect(ranks).toEqual([{ rank: 11 }])
})

test('many processes that store the same accounts at once do not get in each other’s way', async () => {
  const ids = Array.from({ length: 12 }, () => a.players.add({ country: 'PL' }).id)
  const caches = Array.from({ length: 6 }, () =>
    cacheOf({ 'ranking-a': api.app.clients.rankings.a, 'ranking-b': api.app.clients.rankings.b }),
  )
  const found = await Promise.all(
    caches.map((one, index) => one.find((index % 2 === 0 ? ids : ids.toReversed()).map(onA))),
  )
  for (const findings of found) expect([...findings.values()].every((finding) => finding !== 'unreachable')).toBe(true)
})

async function link(user: Caller, platform: RankingPlatform, externalId: string): Promise<void> {
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, now())', [
    user.guid,
    platform,
    externalId,
  ])
}
