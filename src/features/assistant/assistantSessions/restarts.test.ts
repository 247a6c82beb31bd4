import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operated, operate, operateAll } from '../../../../test/assistant-session.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/**
 * The assistant is restarted in each phase: its matches are gone, and all users return with new GUIDs. (AS9; assistant:
 * What proves it, 4)
 */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
})
afterAll(() => api[Symbol.asyncDispose]())

const patient = { timeout: 60_000, interval: 50 }

interface Case {
  readonly phase: 'ready' | 'map' | 'loading' | 'loaded' | 'checking' | 'starting' | 'playing' | 'silent' | 'finished'
  /** Whether the players stay away for a while. */
  readonly withoutPlayers?: boolean
}

const cases: readonly Case[] = [
  ...(['ready', 'map', 'loading', 'loaded', 'checking', 'starting', 'playing', 'silent', 'finished'] as const).map(
    (phase) => ({ phase }),
  ),
  { phase: 'loaded', withoutPlayers: true },
]

test('the match is made anew, its map is set again, and nothing is believed of before', async () => {
  await operateAll(cases, () => operate(api), restartIn)
})

async function restartIn(operated: Operated, { phase, withoutPlayers = false }: Case): Promise<void> {
  const { fake, games } = operated
  const reach = async () => {
    expect(outcome(await operated.open())).toEqual([201, null])
    await operated.until('ready')
    if (phase === 'ready') return
    await operated.setMap()
    if (phase === 'map') return
    if (phase === 'loading') {
      fake.faults.slowLoads(60_000)
      await operated.ask('POST', 'load')
      await operated.until('loading')
      return
    }
    await operated.load()
    if (phase === 'loaded') return
    if (phase === 'checking') {
      for (const { script } of games) script.prompt = 'silent'
      await operated.ask('POST', 'ready-check', { seconds: 60 })
      await operated.until('checking')
      return
    }
    const seconds = phase === 'finished' ? 0.2 : phase === 'silent' ? 1 : 4
    for (const { script } of games) script.song = { seconds, reports: phase !== 'silent' }
    if (phase === 'starting') for (const { script } of games) script.starts = { afterMs: 1_500 }
    const asked = operated.ask('POST', 'play', {})
    if (phase === 'starting') await operated.until('starting')
    else expect(outcome(await asked)).toEqual([200, null])
    if (phase === 'finished') await operated.until('finished')
    if (phase === 'starting') void asked
  }
  await reach()
  const before = await operated.read()
  const guids = games.map(({ guid }) => guid)
  await fake.restart({ withoutPlayers })
  expect(games.some(({ guid }) => !withoutPlayers && guids.includes(guid))).toBe(false)

  const isAnew = async () => {
    const { status, assistantMatch } = await operated.read()
    return status === 'connected' && assistantMatch !== null && assistantMatch !== before.assistantMatch
  }
  await expect.poll(isAnew, patient).toBe(true)
  if (withoutPlayers) {
    await operated.until('players_missing')
    for (const game of games) game.reconnect()
  }
  const [match] = fake.matches
  expect(fake.matches.length).toBe(1)
  const everybody = () => games.every(({ guid }) => match?.associatedUsers.includes(guid))
  await expect.poll(everybody, patient).toBe(true)
  expect(new Set(match?.associatedUsers).size).toBe(match?.associatedUsers.length)
  expect(match?.guid).toBe((await operated.read()).assistantMatch)
  await expect.poll(() => operated.warnings(), patient).toContain('match_deleted')
  if (phase !== 'ready') {
    const hash = operated.made.hashes[0]?.toUpperCase()
    const level = () => fake.matches[0]?.selectedMap?.gameplayParameters?.beatmap?.levelId
    await expect.poll(level, patient).toBe(`custom_level_${hash}`)
  }

  const isPlayed = phase === 'starting' || phase === 'playing' || phase === 'silent'
  if (!isPlayed) {
    const { players } = await operated.read()
    expect(players.map(({ load }: { readonly load: { readonly state: string } }) => load.state)).toEqual([
      'idle',
      'idle',
    ])
    expect(players.map(({ readyCheck }: { readonly readyCheck: string }) => readyCheck)).toEqual(['none', 'none'])
    // The session continues, and a song can be played.
    for (const { script } of games) Object.assign(script, { download: 'ok', starts: 'at_once', song: { seconds: 0.2 } })
    const known = (await operated.plays()).length
    await operated.until('ready|finished')
    if (phase === 'ready') await operated.setMap()
    expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([409, 'assistant.not_ready'])
    await operated.load()
    expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([200, null])
    expect(await operated.outcome(known + 1)).toBe('finished')
    return
  }
  const state = await operated.outcome()
  const [proposal, ...more] = await operated.proposals()
  expect(more).toEqual([])
  const codes = proposal.warnings.map(({ code }: { readonly code: string }) => code)
  expect(operated.received('command.playSong').length).toBe(1)
  // Games continue without a server, and report their end if they are connected again by then.
  if (phase === 'silent') {
    expect(state).toBe('uncertain')
    expect(codes).toContain('interrupted')
    expect(codes.filter((code: string) => code === 'player_missing').length).toBe(2)
  } else {
    expect(state).toBe('finished')
    expect(codes).toEqual(['free_map'])
    expect((await operated.finishes()).length).toBe(2)
  }
}
