import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operated, operate } from '../../../../test/assistant-session.ts'
import type { FakePlayer } from '../../../../test/fakes/assistant/players.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** Which reports of a song's end count. (AS7, AS16, AS17; assistant: What proves it, 6) */

let api: Harness
let operated: Operated
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
  operated = await operate(api)
})
afterAll(async () => {
  await operated.fake.close()
  await api[Symbol.asyncDispose]()
})

const passed = 0
const scoresOf = async ({ users }: Operated, from: Operated = operated) => {
  const plays = await from.plays()
  const last = plays.at(-1)?.guid
  const rows = (await from.finishes()).filter(({ play_guid: play }) => play === last)
  return users.map((user) => rows.find(({ user_guid: of }) => of === user)?.score ?? null)
}

/** Starts a song that both players play until the test ends it. */
async function begin(of: Operated = operated): Promise<readonly [FakePlayer, FakePlayer]> {
  const [one, other] = of.games as [FakePlayer, FakePlayer]
  for (const game of of.games) game.script.songs.push({ seconds: 60, reports: false })
  const count = (await of.plays()).length
  expect(outcome(await of.ask('POST', 'play', {}))).toEqual([200, null])
  expect((await of.plays()).length).toBe(count + 1)
  return [one, other]
}

const patient = { timeout: 20_000, interval: 50 }

describe('ends of songs', () => {
  test('doubled, foreign and forged ones do not count', async () => {
    await operated.loaded()
    const [one, other] = await begin()
    const stranger = operated.fake.player({ platformId: '99', name: 'A stranger' })
    const foreign = operated.fake.addTournament({ name: 'Another' })
    // Reports of a stranger, of another tournament, of another match, of another map, and of a stranger who names our
    // match.
    stranger.tellFinished({ score: 1, type: passed })
    one.tellFinished({ score: 2, tournamentId: foreign.guid })
    one.tellFinished({ score: 3, matchId: 'another match' })
    const level = { levelId: `custom_level_${'F'.repeat(40)}`, difficulty: 4 }
    one.tellFinished({ score: 4, matchId: '', beatmap: level })
    stranger.tellFinished({ score: 5, matchId: operated.fake.matches[0]?.guid ?? '' })
    one.tellFinished({ score: 800_000, type: passed })
    one.tellFinished({ score: 800_000, type: passed })
    one.tellFinished({ score: 999_999, type: passed })
    await expect.poll(() => scoresOf(operated), patient).toEqual([800_000, null])
    await expect.poll(async () => (await operated.proposals())[0]?.status, patient).toBe('collecting')
    other.tellFinished({ score: 700_000, type: passed })
    expect(await operated.outcome()).toBe('finished')
    expect(await scoresOf(operated)).toEqual([800_000, 700_000])
    const [proposal] = await operated.proposals()
    expect(proposal).toMatchObject({ status: 'proposed', winner: 1 })
    const codes = proposal.warnings.map(({ code }: { readonly code: string }) => code)
    expect(codes.toSorted()).toEqual(['free_map', 'second_report'])
    for (const game of operated.games) game.stop()
    stranger.disconnect()
  })

  test('a late one of the song before is that song’s, though another is played', async () => {
    const before = (await operated.plays()).length
    await operated.setMap(1)
    await operated.load()
    const [one, other] = await begin()
    // A report of the previous song, which both players finished earlier.
    const old = { levelId: `custom_level_${operated.made.hashes[0]?.toUpperCase()}`, difficulty: 4 }
    one.tellFinished({ score: 123, beatmap: { ...old, characteristic: { serializedName: 'Standard' } } })
    one.tellFinished({ score: 600_000 })
    other.tellFinished({ score: 650_000 })
    expect(await operated.outcome(before + 1)).toBe('finished')
    expect(await scoresOf(operated)).toEqual([600_000, 650_000])
    for (const game of operated.games) game.stop()
  })

  test('another map is told of, and counts', async () => {
    const before = (await operated.plays()).length
    await operated.load()
    const [one, other] = await begin()
    const wrong = { levelId: `custom_level_${'A'.repeat(40)}`, difficulty: 4 }
    one.tellFinished({ score: 500_000, beatmap: wrong })
    other.tellFinished({ score: 500_001, type: 1 })
    expect(await operated.outcome(before + 1)).toBe('finished')
    const [proposal] = await operated.proposals()
    const codes = proposal.warnings.map(({ code }: { readonly code: string }) => code)
    expect(codes).toEqual(expect.arrayContaining(['wrong_map', 'failed', 'free_map']))
    await expect.poll(() => operated.warnings(), patient).toContain('failed')
    for (const game of operated.games) game.stop()
  })

  test('standalone games, which name no match, one of them under an account that was mapped by hand', async () => {
    const standalone = await operate(api, { kind: 'standalone' })
    try {
      const [one, other] = standalone.games as [FakePlayer, FakePlayer]
      one.disconnect()
      const lent = standalone.fake.player({ platformId: 'lent', name: 'Lent', kind: 'standalone' })
      lent.script.songs.push({ seconds: 0.5, score: 910_000 })
      other.script.songs.push({ seconds: 0.5, score: 900_000, maxScore: 0 })
      await standalone.open()
      await standalone.until('players_missing')
      const [user] = standalone.users
      expect((await standalone.ask('PUT', `players/${user}`, { platformId: 'lent' })).status).toBe(200)
      await standalone.until('ready')
      await standalone.setMap()
      await standalone.load()
      expect(outcome(await standalone.ask('POST', 'play', {}))).toEqual([200, null])
      expect(await standalone.outcome()).toBe('finished')
      expect(await scoresOf(standalone, standalone)).toEqual([910_000, 900_000])
      const [proposal] = await standalone.proposals()
      const codes = proposal.warnings.map(({ code }: { readonly code: string }) => code)
      expect(codes.toSorted()).toEqual(['free_map', 'mapped_by_hand'])
    } finally {
      await standalone.fake.close()
    }
  })

  test('one after twenty seconds of silence is late, and its proposal is kept', async () => {
    const late = await operate(api)
    try {
      await late.loaded()
      const [one, other] = await begin(late)
      one.tellFinished({ score: 640_000 })
      // Both players leave the song; one of them sends no report.
      for (const game of late.games) game.setPlayState('waiting')
      expect(await late.outcome()).toBe('finished')
      const before = (await late.proposals())[0]
      expect(before).toMatchObject({ status: 'proposed', winner: 1 })
      const codes = (proposal: typeof before) => proposal.warnings.map(({ code }: { readonly code: string }) => code)
      expect(codes(before)).toContain('player_missing')
      other.tellFinished({ score: 660_000 })
      await expect.poll(() => scoresOf(late, late), patient).toEqual([640_000, 660_000])
      await expect.poll(async () => codes((await late.proposals())[0]), patient).toContain('late')
      expect((await late.proposals()).length).toBe(1)
      expect(codes((await late.proposals())[0])).not.toContain('player_missing')
    } finally {
      await late.fake.close()
    }
  })
})
