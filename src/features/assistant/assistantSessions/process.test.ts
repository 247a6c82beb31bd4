import pg from 'pg'
import { expect, test } from 'vitest'
import { type MadeAssistantPlay, makeAssistantPlay } from '../../../../test/assistant.ts'
import { startFakeAssistant } from '../../../../test/fakes/assistant/assistant.ts'
import { type Caller, freePort, startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'

/** The process that holds sessions is killed in each phase, and others go on with them. (AS4, AS9) */

const patient = { timeout: 60_000, interval: 100 }

test('another process takes over within twenty seconds: a song goes on to its result, one that ended meanwhile is uncertain, none is started again', async () => {
  await using harness = await startHarness({ webhookAllowPrivate: true })
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  // The service that tests start from ends before the fake is asked: it knows the key itself.
  const { publicKey } = (await harness.get('/requestPublicSignature')).body
  await using fake = await startFakeAssistant({ keys: [publicKey] })
  const world = { api: harness, fake, [Symbol.asyncDispose]: async () => {} }
  const plays: MadeAssistantPlay[] = []
  for (let index = 0; index < 4; index++) plays.push(await makeAssistantPlay(world))
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  client.on('error', () => {})
  await client.connect()
  const ports = await Promise.all([freePort(), freePort(), freePort()])
  const envOf = (port: number) => ({
    ...{ DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, PORT: String(port) },
    ...{ WEBHOOK_ALLOW_PRIVATE: 'true', RATE_LIMITS: 'off' },
  })
  const call = async (port: number, method: string, path: string, as: Caller, body?: object) => {
    const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${as.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
  }
  await harness.app.close()

  const [a, b, c] = ports as [number, number, number]
  await using first = await startService(envOf(a))
  const on = (port: number, made: MadeAssistantPlay, method: string, path = '', body?: object) =>
    call(port, method, `${made.match(1)}/assistant${path}`, made.organiser, body)
  const sessionOf = async (port: number, made: MadeAssistantPlay) => (await on(port, made, 'GET')).body
  for (const made of plays) expect((await on(a, made, 'POST')).status).toBe(201)
  for (const made of plays) await expect.poll(async () => (await sessionOf(a, made)).phase, patient).toBe('ready')

  // All are held by the first when the others come.
  await using second = await startService(envOf(b))
  await using third = await startService(envOf(c))
  const [idle, long, short, loading] = plays as [
    MadeAssistantPlay,
    MadeAssistantPlay,
    MadeAssistantPlay,
    MadeAssistantPlay,
  ]
  const games = (made: MadeAssistantPlay) => made.players.flatMap((side) => side.map(({ game }) => game))
  const map = (made: MadeAssistantPlay) => ({
    ...{ hash: made.hashes[0], characteristic: 'Standard', difficulty: 'ExpertPlus' },
  })
  for (const game of games(long)) game.script.songs.push({ seconds: 40, score: 900_000 })
  for (const game of games(short)) game.script.songs.push({ seconds: 8, score: 900_000 })
  for (const game of games(loading)) game.script.download = { afterMs: 5_000 }
  for (const made of [long, short, loading]) expect((await on(a, made, 'PUT', '/map', map(made))).status).toBe(200)
  for (const made of [long, short]) expect((await on(a, made, 'POST', '/load')).body.phase).toBe('loaded')
  for (const made of [long, short]) expect((await on(a, made, 'POST', '/play')).body.phase).toBe('playing')
  const asked = on(a, loading, 'POST', '/load').catch(() => null)
  await fake.until(() => games(loading).every((game) => game.count('request.loadSong') === 1))

  const connectionsBefore = new Set(fake.received.map(({ connection }) => connection))
  first.signal('SIGKILL')
  const killedAt = performance.now()
  await Promise.all([first.exit, asked])
  const isHeldAnew = async () =>
    (
      await client.query(
        `select from leases where name like 'assistant_sessions.hold %' and until > now() + interval '6 seconds'`,
      )
    ).rowCount
  const again = () =>
    new Set(fake.received.map(({ connection }) => connection).filter((one) => !connectionsBefore.has(one))).size
  await expect.poll(again, patient).toBeGreaterThanOrEqual(4)
  expect(performance.now() - killedAt).toBeLessThan(21_000)
  expect(await isHeldAnew()).toBe(4)

  await expect.poll(async () => (await sessionOf(b, idle)).phase, patient).toBe('ready')
  await expect.poll(async () => (await sessionOf(c, loading)).phase, patient).toBe('ready')
  expect((await sessionOf(b, long)).phase).toBe('playing')
  const proposalsOf = async (made: MadeAssistantPlay) =>
    (await call(b, 'GET', `${made.match(1)}/proposals`, made.organiser)).body.proposals
  await expect.poll(async () => (await proposalsOf(long))[0]?.status, patient).toBe('proposed')
  expect((await proposalsOf(long))[0]).toMatchObject({ players: [{ score: 900_000 }, { score: 900_000 }] })
  await expect.poll(async () => (await sessionOf(b, short)).phase, patient).not.toBe('playing')
  expect((await proposalsOf(short))[0]).toMatchObject({ status: 'proposed', players: [] })
  expect((await proposalsOf(short))[0].warnings.map(({ code }: { code: string }) => code)).toContain('interrupted')
  for (const made of [long, short]) {
    for (const game of games(made)) expect(game.count('command.playSong')).toBe(1)
  }
  for (const game of games(idle)) expect(game.count('command.playSong')).toBe(0)
  second.signal('SIGTERM')
  third.signal('SIGTERM')
  await Promise.all([second.exit, third.exit])
  await client.end()
}, 240_000)
