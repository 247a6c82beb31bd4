import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type BeatLeaderPlayer,
  chatSocial,
  type FakeRanking,
  type ScoreSaberPlayer,
  startFakeBeatLeader,
  startFakeScoreSaber,
} from '../../../test/fakes/ranking.ts'
import type { Misbehaviour } from '../../../test/fakes/server.ts'
import { createHttpClient, type HttpClient } from './http.ts'
import { createRankingClients } from './ranking.ts'

let scoreSaber: FakeRanking<ScoreSaberPlayer>
let beatLeader: FakeRanking<BeatLeaderPlayer>
let http: HttpClient
let rankings: ReturnType<typeof createRankingClients>

beforeEach(async () => {
  scoreSaber = await startFakeScoreSaber()
  beatLeader = await startFakeBeatLeader()
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 5_000, maxBodyBytes: 100_000, connections: 4 })
  rankings = createRankingClients({ http, scoreSaberUrl: scoreSaber.url, beatLeaderUrl: beatLeader.url })
})

afterEach(async () => {
  await http.close()
  await scoreSaber.close()
  await beatLeader.close()
})

describe('platform A', () => {
  it('tells of an account', async () => {
    const { id } = scoreSaber.players.add({ name: 'Ada', country: 'GB', rank: 17, bio: '<p>proof: 1234</p>' })
    expect(await rankings.a.profile(id)).toEqual({
      externalId: id,
      name: 'Ada',
      country: 'GB',
      rank: 17,
      banned: false,
      inactive: false,
      profileText: '<p>proof: 1234</p>',
      chatPlatformId: null,
    })
    expect(scoreSaber.requests.map(({ path }) => path)).toEqual([`/player/${id}/full`])
  })

  it('tells of one that is unranked, banned, inactive and silent', async () => {
    const { id } = scoreSaber.players.add({ rank: 0, banned: true, inactive: true, bio: '' })
    const profile = await rankings.a.profile(id)
    expect(profile).toMatchObject({ rank: null, banned: true, inactive: true, profileText: null })
  })

  it('tells what an account was honoured with', async () => {
    const badges = [
      { description: ' Cup\u202E\n2025 ', image: 'https://cdn.example.org/1.png' },
      { description: '', image: 'https://cdn.example.org/2.png' },
    ]
    const { id } = scoreSaber.players.add({ badges })
    expect(await rankings.a.badges(id)).toEqual([{ ...badges[0], description: 'Cup 2025' }, badges[1]])
    expect(await rankings.a.badges(scoreSaber.players.add().id)).toEqual([])
    expect(await rankings.a.badges('99')).toBeNull()
    expect(await rankings.a.badges('../admin')).toBeNull()
    for (const body of [{ badges: [{ description: 'x' }] }, { badges: 'none' }, []]) {
      const calm = scoreSaber.misbehave(/./, { status: 200, body })
      await expect(rankings.a.badges(id)).rejects.toMatchObject({ name: 'Unreachable', reason: 'invalid_answer' })
      calm()
    }
  })

  it('says until when to wait', async () => {
    scoreSaber.misbehave(/./, { limitedS: 30 })
    const error = await rankings.a.profile('1').catch((reason) => reason)
    expect(error).toMatchObject({ name: 'Unreachable', reason: 'limited', status: 429 })
    // Both times are in whole seconds.
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(29_000)
    expect(error.retryAfterMs).toBeLessThanOrEqual(32_000)
  })
})

describe('platform B', () => {
  it('tells of an account and its chat account', async () => {
    const { id, profileSettings } = beatLeader.players.add({ name: 'Bea', country: 'nl', rank: 3 })
    beatLeader.players.change(id, {
      profileSettings: { ...profileSettings, bio: 'proof: 1234' },
      socials: [{ ...chatSocial('7'), service: 'Twitch' }, chatSocial('210987654321098765')],
    })
    expect(await rankings.b.profile(id)).toEqual({
      externalId: id,
      name: 'Bea',
      country: 'NL',
      rank: 3,
      banned: false,
      inactive: false,
      profileText: 'proof: 1234',
      chatPlatformId: '210987654321098765',
    })
    expect(beatLeader.requests[0]).toMatchObject({ method: 'GET', path: `/player/${id}` })
    expect(beatLeader.requests[0]?.query.get('stats')).toBe('true')
  })

  it('tells of one without country, rank, text or chat account', async () => {
    const { id } = beatLeader.players.add({ country: 'not set', rank: 0, banned: true, inactive: true })
    expect(await rankings.b.profile(id)).toMatchObject({
      country: null,
      rank: null,
      banned: true,
      inactive: true,
      profileText: null,
      chatPlatformId: null,
    })
  })

  it('finds a merged account by the ID that it lost', async () => {
    const { id } = beatLeader.players.add({ linkedIds: { steamId: null, oculusPCId: null, questId: 1922350521131465 } })
    expect(await rankings.b.profile('1922350521131465')).toMatchObject({ externalId: id })
  })

  it('finds an account by its chat account', async () => {
    const { id } = beatLeader.players.add({ socials: [chatSocial('42')] })
    expect(await rankings.b.profileOfChatUser('42')).toMatchObject({ externalId: id, chatPlatformId: '42' })
    expect(await rankings.b.profileOfChatUser('43')).toBeNull()
    expect(await rankings.b.profileOfChatUser('@me')).toBeNull()
  })

  it('may lack whatever is not documented to be always there', async () => {
    const account = { id: '12', name: 'Bea', rank: 1 }
    const all = { ...account, country: null, socials: null, profileSettings: null }
    const profile = { externalId: '12', country: null, banned: false, chatPlatformId: null, profileText: null }
    for (const body of [account, all]) {
      using _rule = { [Symbol.dispose]: beatLeader.misbehave(/./, { status: 200, body }) }
      expect(await rankings.b.profile('12')).toMatchObject(profile)
    }
  })

  it('says how long to wait', async () => {
    const waits = async (how: Misbehaviour) => {
      using _rule = { [Symbol.dispose]: beatLeader.misbehave(/./, how) }
      return await rankings.b.profile('1').catch((error) => error.retryAfterMs)
    }
    const headers = { date: 'Fri, 01 May 2026 18:00:00 GMT', 'retry-after': 'Fri, 01 May 2026 18:00:09 GMT' }
    expect(await waits({ limitedS: 7 })).toBe(7_000)
    expect(await waits({ limitedS: null })).toBeNull()
    expect(await waits({ status: 429, headers })).toBe(9_000)
  })
})

describe.each(['a', 'b'] as const)('platform %s', (which) => {
  // `toJSON` keeps the long body out of the test's name.
  const tooLarge = { status: 200, body: 'x'.repeat(100_001), toJSON: () => 'too much' }
  const tooLong = 'x'.repeat(501)

  const fake = () => (which === 'a' ? scoreSaber : beatLeader)
  const profile = (externalId: string) => rankings[which].profile(externalId)

  it('knows no such account', async () => {
    expect(await profile('76561198000009999')).toBeNull()
    fake().misbehave(/./, { status: 404, body: '<html>not here</html>' })
    expect(await profile(fake().players.add().id)).toBeNull()
  })

  it.each(['', 'me', '12a', '-1', '1/..', '1?x', '1\n', '123456789012345678901', '１２'])(
    'is not asked for what cannot be an account: %j',
    async (externalId) => {
      expect(await profile(externalId)).toBeNull()
      expect(fake().requests).toHaveLength(0)
    },
  )

  it('names an account so that a person can read it', async () => {
    const { id } = fake().players.add({ name: ' A\u0000d\u202Ea\n' })
    expect(await profile(id)).toMatchObject({ name: 'A d a' })
    const nameless = fake().players.add({ name: '\u200B' })
    expect(await profile(nameless.id)).toMatchObject({ name: nameless.id })
  })

  it.each(['', 'x', 'deu', '1!', 'not set'])('has no country %j', async (country) => {
    const { id } = fake().players.add({ country })
    expect(await profile(id)).toMatchObject({ country: null })
  })

  it.each([-1, 0])('ranks nobody %d', async (rank) => {
    const { id } = fake().players.add({ rank })
    expect(await profile(id)).toMatchObject({ rank: null })
  })

  it.each([
    ['failing', { status: 500 }],
    ['failing', { status: 403, body: 'blocked' }],
    ['failing', { status: 302, headers: { location: 'https://example.org' } }],
    ['limited', { limitedS: 1 }],
    ['limited', { limitedS: null }],
    ['reset', 'reset'],
    ['invalid_answer', 'malformed'],
    ['too_large', tooLarge],
  ] as const)('is %s after %j', async (reason, how) => {
    const { id } = fake().players.add()
    fake().misbehave(/./, how)
    await expect(profile(id)).rejects.toMatchObject({ name: 'Unreachable', reason, host: new URL(fake().url).host })
  })

  it('is left to itself at the deadline', async () => {
    fake().misbehave(/./, { slowMs: 10_000 })
    const hasty = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 100, maxBodyBytes: 1_000, connections: 1 })
    const clients = createRankingClients({ http: hasty, scoreSaberUrl: scoreSaber.url, beatLeaderUrl: beatLeader.url })
    await expect(clients[which].profile('1')).rejects.toMatchObject({ name: 'Unreachable', reason: 'timeout' })
    await hasty.close()
  })

  it.each([
    ['nothing', ''],
    ['a list', []],
    ['an account without a rank', { id: '1', name: 'A' }],
    ['a number as ID', { id: 1, name: 'A', rank: 1 }],
    ['a path as ID', { id: '../1', name: 'A', rank: 1 }],
    ['a broken rank', { id: '1', name: 'A', rank: 1.5 }],
    ['a rank beyond all players', { id: '1', name: 'A', rank: 2_147_483_648 }],
    ['an endless name', { id: '1', name: tooLong, rank: 1 }],
    ['a word for a ban', { id: '1', name: 'A', rank: 1, banned: 'no' }],
    ['a number as country', { id: '1', name: 'A', rank: 1, country: 49 }],
  ])('may not answer %s', async (_what, body) => {
    fake().misbehave(/./, { status: 200, body })
    await expect(profile('1')).rejects.toMatchObject({ name: 'Unreachable', reason: 'invalid_answer', status: 200 })
  })

  it('is there while it answers anything', async () => {
    await rankings[which].ping()
    fake().misbehave(/./, { status: 500 })
    await rankings[which].ping()
    await fake().close()
    await expect(rankings[which].ping()).rejects.toMatchObject({ reason: 'refused' })
  })
})
