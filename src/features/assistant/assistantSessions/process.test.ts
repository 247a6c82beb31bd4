import { expect, test } from 'vitest'
import { type MadeAssistantPlay, makeAssistantPlay } from '../../../../test/assistant.ts'
import { callProcess, leaveToProcesses } from '../../../../test/assistant-process.ts'
import { startFakeAssistant } from '../../../../test/fakes/assistant/assistant.ts'
import { startHarness } from '../../../../test/harness.ts'
import { type Service, startService } from '../../../../test/kernel/service.ts'

/** The process that holds sessions is killed in each phase, and other processes continue them. (AS4, AS9) */

const patient = { timeout: 60_000, interval: 100 }

test('another process takes over within twenty seconds: a song goes on to its result, one that ended meanwhile is uncertain, none is started again', async () => {
  await using harness = await startHarness({ webhookAllowPrivate: true })
  // The first service ends before the fake needs its key, so the fake gets the key now.
  const { publicKey } = (await harness.get('/requestPublicSignature')).body
  await using fake = await startFakeAssistant({ keys: [publicKey] })
  const world = { api: harness, fake, [Symbol.asyncDispose]: async () => {} }
  const plays: MadeAssistantPlay[] = []
  for (let index = 0; index < 4; index++) plays.push(await makeAssistantPlay(world))
  await using left = await leaveToProcesses(harness)

  await using first = await startService(left.env)
  const on = (service: Service, made: MadeAssistantPlay, method: string, path = '', body?: object) =>
    callProcess(service, method, `${made.match(1)}/assistant${path}`, made.organiser, body)
  const sessionOf = async (service: Service, made: MadeAssistantPlay) => (await on(service, made, 'GET')).body
  for (const made of plays) expect((await on(first, made, 'POST')).status).toBe(201)
  for (const made of plays) await expect.poll(async () => (await sessionOf(first, made)).phase, patient).toBe('ready')

  // The first process holds all sessions before the others start.
  await using second = await startService(left.env)
  await using third = await startService(left.env)
  const [idle, long, short, loading] = plays as [
    MadeAssistantPlay,
    MadeAssistantPlay,
    MadeAssistantPlay,
    MadeAssistantPlay,
  ]
  const games = (made: MadeAssistantPlay) => made.players.flatMap((side) => side.map(({ game }) => game))
  const map = (made: MadeAssistantPlay) => ({
    hash: made.hashes[0],
    characteristic: 'Standard',
    difficulty: 'ExpertPlus',
  })
  for (const game of games(long)) game.script.songs.push({ seconds: 40, score: 900_000 })
  for (const game of games(short)) game.script.songs.push({ seconds: 8, score: 900_000 })
  for (const game of games(loading)) game.script.download = { afterMs: 5_000 }
  for (const made of [long, short, loading]) expect((await on(first, made, 'PUT', '/map', map(made))).status).toBe(200)
  for (const made of [long, short]) expect((await on(first, made, 'POST', '/load')).body.phase).toBe('loaded')
  for (const made of [long, short]) expect((await on(first, made, 'POST', '/play')).body.phase).toBe('playing')
  const asked = on(first, loading, 'POST', '/load').catch(() => null)
  await fake.until(() => games(loading).every((game) => game.count('request.loadSong') === 1))

  const connectionsBefore = new Set(fake.received.map(({ connection }) => connection))
  first.signal('SIGKILL')
  const killedAt = performance.now()
  await Promise.all([first.exit, asked])
  const isHeldAnew = async () => {
    const held = `select from leases where name like 'assistant_sessions.hold %' and until > now() + interval '6 seconds'`
    return (await left.sql(held)).length
  }
  const again = () =>
    new Set(fake.received.map(({ connection }) => connection).filter((one) => !connectionsBefore.has(one))).size
  await expect.poll(again, patient).toBeGreaterThanOrEqual(4)
  expect(performance.now() - killedAt).toBeLessThan(21_000)
  expect(await isHeldAnew()).toBe(4)

  await expect.poll(async () => (await sessionOf(second, idle)).phase, patient).toBe('ready')
  await expect.poll(async () => (await sessionOf(third, loading)).phase, patient).toBe('ready')
  expect((await sessionOf(second, long)).phase).toBe('playing')
  const proposalsOf = async (made: MadeAssistantPlay) =>
    (await callProcess(second, 'GET', `${made.match(1)}/proposals`, made.organiser)).body.proposals
  await expect.poll(async () => (await proposalsOf(long))[0]?.status, patient).toBe('proposed')
  expect((await proposalsOf(long))[0]).toMatchObject({ players: [{ score: 900_000 }, { score: 900_000 }] })
  await expect.poll(async () => (await sessionOf(second, short)).phase, patient).not.toBe('playing')
  expect((await proposalsOf(short))[0]).toMatchObject({ status: 'proposed', players: [] })
  expect((await proposalsOf(short))[0].warnings.map(({ code }: { code: string }) => code)).toContain('interrupted')
  for (const made of [long, short]) {
    for (const game of games(made)) expect(game.count('command.playSong')).toBe(1)
  }
  for (const game of games(idle)) expect(game.count('command.playSong')).toBe(0)
  second.signal('SIGTERM')
  third.signal('SIGTERM')
  await Promise.all([second.exit, third.exit])
}, 240_000)
