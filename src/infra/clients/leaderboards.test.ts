import { afterEach, beforeEach, expect, it } from 'vitest'
import { startFakeBeatLeader, startFakeScoreSaber } from '../../../test/fakes/ranking.ts'
import { createHttpClient, type HttpClient } from './http.ts'
import { createLeaderboardClients } from './leaderboards.ts'

let scoreSaber: Awaited<ReturnType<typeof startFakeScoreSaber>>
let beatLeader: Awaited<ReturnType<typeof startFakeBeatLeader>>
let http: HttpClient
let leaderboards: ReturnType<typeof createLeaderboardClients>

beforeEach(async () => {
  scoreSaber = await startFakeScoreSaber()
  beatLeader = await startFakeBeatLeader()
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 5_000, maxBodyBytes: 100_000, connections: 4 })
  leaderboards = createLeaderboardClients({ http, scoreSaberUrl: scoreSaber.url, beatLeaderUrl: beatLeader.url })
})

afterEach(async () => {
  await http.close()
  await scoreSaber.close()
  await beatLeader.close()
})

const hash = 'abcdef0123456789abcdef0123456789abcdef01'

it.each([
  [1, 'Easy', 'Standard'],
  [3, 'Normal', 'OneSaber'],
  [5, 'Hard', 'NoArrows'],
  [7, 'Expert', '90Degree'],
  [9, 'ExpertPlus', 'Lawless'],
])('on both platforms, difficulty %i is %s', async (number, difficulty, characteristic) => {
  const a = scoreSaber.leaderboards.add({ hash, difficulty: number, characteristic })
  const b = beatLeader.leaderboards.add({ hash, difficulty: number, characteristic })
  expect(await leaderboards.a.map(a)).toEqual({ hash, difficulty, characteristic })
  expect(await leaderboards.b.map(b)).toEqual({ hash, difficulty, characteristic })
  expect(scoreSaber.requests).toMatchObject([{ method: 'GET', path: `/leaderboard/by-id/${a}/info` }])
  expect(beatLeader.requests).toMatchObject([{ method: 'GET', path: `/leaderboard/${b}` }])
})

it('there is none of an unknown ID, and nobody is asked for what cannot be one', async () => {
  expect(await leaderboards.a.map('1')).toBeNull()
  expect(await leaderboards.b.map('1a2b391')).toBeNull()
  expect([scoreSaber.requests.length, beatLeader.requests.length]).toEqual([1, 1])
  for (const hostile of ['', '../player/1', '1/../../x', '1?x', '1%2f', 'ä', '1'.repeat(40)]) {
    expect(await leaderboards.a.map(hostile)).toBeNull()
    expect(await leaderboards.b.map(hostile)).toBeNull()
  }
  expect([scoreSaber.requests.length, beatLeader.requests.length]).toEqual([1, 1])
})

it.each([
  [{ songHash: 'no hash', difficulty: { difficulty: 7, gameMode: 'SoloStandard' } }],
  [{ songHash: hash, difficulty: { difficulty: 8, gameMode: 'SoloStandard' } }],
  [{ songHash: hash, difficulty: { difficulty: 7, gameMode: '<b>' } }],
  [{ songHash: hash }],
  [{ song: { hash }, difficulty: { difficultyName: 'Extreme', modeName: 'Standard' } }],
  [{ song: null, difficulty: { difficultyName: 'Expert', modeName: 'Standard' } }],
  [null],
  [[]],
])('what does not have the documented form is no answer: %j', async (body) => {
  scoreSaber.misbehave(/./, { status: 200, body })
  beatLeader.misbehave(/./, { status: 200, body })
  for (const platform of [leaderboards.a, leaderboards.b]) {
    await expect(platform.map('1')).rejects.toMatchObject({ name: 'Unreachable', reason: 'invalid_answer' })
  }
})

it('a platform that is down or wants less gives no answer', async () => {
  scoreSaber.misbehave(/./, { status: 502 })
  beatLeader.misbehave(/./, { limitedS: 9 })
  await expect(leaderboards.a.map('1')).rejects.toMatchObject({ reason: 'failing', status: 502 })
  await expect(leaderboards.b.map('1')).rejects.toMatchObject({ reason: 'limited', retryAfterMs: 9_000 })
})
