import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type MadeAssistantPlay, makeAssistantPlay, putLink, verifyRanking } from '../../../../test/assistant.ts'
import { callProcess, leaveToProcesses } from '../../../../test/assistant-process.ts'
import { startFakeAssistant } from '../../../../test/fakes/assistant/assistant.ts'
import type { FakeAssistant } from '../../../../test/fakes/assistant/types.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { type Service, startService } from '../../../../test/kernel/service.ts'
import { someMaps, stage } from '../../../../test/qualifiers.ts'
import { openWayToDatabase } from '../../../../test/way.ts'

/**
 * The process that holds sessions and listens to a qualifier silently loses the database, and otherwise runs on. (AS4;
 * assistant: What proves it, 3)
 */

const patient = { timeout: 60_000, interval: 50 }

/** A holder stops ten seconds after its last renewal, plus a moment to notice it. */
const maxActingMs = 11_000
const maxTakingOverMs = 20_000

/** Each session and qualifier has an assistant of its own, so that every packet there comes from its holder. */
interface Connected {
  readonly fake: FakeAssistant
  /** Connections of the process that is partitioned. */
  readonly before: Set<string>
}

/** A session with its own assistant. */
interface Held extends Connected {
  readonly made: MadeAssistantPlay
}

async function arrange(api: Harness, publicKey: string): Promise<Held> {
  const fake = await startFakeAssistant({ keys: [publicKey] })
  const made = await makeAssistantPlay({ api, fake, [Symbol.asyncDispose]: fake.close })
  return { fake, made, before: new Set() }
}

/** Arranges an open qualifier to which a process listens. */
async function arrangeQualifier(api: Harness, publicKey: string) {
  const fake = await startFakeAssistant({ keys: [publicKey] })
  const { cup, player } = await stage(api)
  const platformId = await verifyRanking(api, player)
  const event = fake.addQualifier({ maps: someMaps(2).map(({ hash, name }) => ({ hash, name })) })
  const place = { path: `/tournaments/${cup.tournament.id}`, organiser: cup.organiser }
  expect((await putLink(api, fake, place, { qualifierEvents: [event.guid] })).status).toBe(200)
  const submit = () => fake.submit(event, event.maps[0] ?? '', { platformId, score: 700, maxScore: 1_000 })
  return { fake, before: new Set<string>(), cup, submit }
}

const gamesOf = ({ made }: Held) => made.players.flat().map(({ game }) => game)
const on = (service: Service, { made }: Held, method: string, path = '', body?: object) =>
  callProcess(service, method, `${made.match(1)}/assistant${path}`, made.organiser, body)
const mapOf = ({ made }: Held, index = 0) => ({
  hash: made.hashes[index],
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
})
const connectionsOf = ({ fake }: Connected) => new Set(fake.received.map(({ connection }) => connection))

async function phaseIs(service: Service, held: Held, phase: string): Promise<void> {
  await expect.poll(async () => (await on(service, held, 'GET')).body.phase, patient).toBe(phase)
}

/**
 * Sessions whose leases are being renewed at this moment: their rows are locked until the commit. A lost database
 * connection is worst then.
 */
const renewing = `with free as (select name from leases for update skip locked) select name from leases
  where name like 'assistant_sessions.hold %' and name not in (select name from free)`

test('a holder that is cut off from the database is silent before another one takes over, and stays so', async () => {
  await using harness = await startHarness({ webhookAllowPrivate: true })
  const { publicKey } = (await harness.get('/requestPublicSignature')).body
  const sessions = await Promise.all(Array.from({ length: 5 }, () => arrange(harness, publicKey)))
  const [idle, loading, playing, waiting, joining] = sessions as [Held, Held, Held, Held, Held]
  const qualifier = await arrangeQualifier(harness, publicKey)
  const all: readonly Connected[] = [...sessions, qualifier]
  await using left = await leaveToProcesses(harness)
  const way = await openWayToDatabase(left.databaseName)

  await using first = await startService({ ...left.env, DATABASE_URL: way.url })
  await qualifier.fake.until(() => qualifier.fake.connections === 1, 10_000)
  const opened = [idle, loading, playing, waiting]
  for (const held of opened) expect((await on(first, held, 'POST')).status).toBe(201)
  for (const held of opened) await phaseIs(first, held, 'ready')
  for (const game of gamesOf(playing)) game.script.songs.push({ seconds: 120, scores: [], score: 900_000 })
  for (const game of gamesOf(loading)) game.script.download = { afterMs: 60_000 }
  for (const held of [loading, playing, waiting]) {
    expect((await on(first, held, 'PUT', '/map', mapOf(held))).status).toBe(200)
  }
  for (const held of [playing, waiting]) expect((await on(first, held, 'POST', '/load')).body.phase).toBe('loaded')
  expect((await on(first, playing, 'POST', '/play')).body.phase).toBe('playing')
  const load = on(first, loading, 'POST', '/load').catch(() => null)
  await loading.fake.until(() => gamesOf(loading).every((game) => game.count('request.loadSong') === 1))
  // One session is still connecting. Another has a start that is due only after the next process holds it.
  const welcomeLate = joining.fake.faults.add({ direction: 'sent', kind: 'response.connect' }, { delayMs: 9_000 })
  expect((await on(first, joining, 'POST')).status).toBe(201)
  await joining.fake.until(() => connectionsOf(joining).size === 1)
  // The server answers as soon as it has checked the token.
  await wait(300)
  welcomeLate()
  const [slowly = ''] = connectionsOf(joining)
  // Well before the ten seconds after which the process would connect once more, also on a busy machine.
  joining.fake.faults.add({ direction: 'sent', kind: 'response.join', connection: slowly }, { delayMs: 6_000 })

  const start = { mode: 'held', delayMs: 20_000 }
  expect((await on(first, waiting, 'POST', '/play', start)).body.phase).toBe('starting')

  way.delay(250)
  await expect.poll(async () => (await left.sql(renewing)).length, { ...patient, interval: 5 }).toBe(sessions.length)
  way.block()
  const cutAt = performance.now()
  expect(all.map(({ fake }) => fake.connections)).toEqual(all.map(() => 1))
  for (const held of all) for (const connection of connectionsOf(held)) held.before.add(connection)
  const silent = all.map(async ({ fake }) => {
    await fake.until(() => fake.connections === 0, 40_000)
    return performance.now() - cutAt
  })
  // Commands from now on reach no holder.
  const given = [
    on(first, idle, 'PUT', '/map', mapOf(idle, 1)),
    on(first, playing, 'POST', '/return'),
    on(first, loading, 'POST', '/play', { ignore: ['not_ready', 'not_loaded'] }),
  ].map((call) => call.then(({ status }) => status).catch(() => 0))
  await using second = await startService(left.env)

  const takenOver = await Promise.all(
    all.map(async (held) => {
      await held.fake.until(() => connectionsOf(held).size > held.before.size, 40_000)
      return performance.now() - cutAt
    }),
  )
  expect(Math.max(...takenOver)).toBeLessThan(maxTakingOverMs)
  expect(Math.max(...(await Promise.all(silent)))).toBeLessThan(maxActingMs)

  // The cut process returns, and finds that others have its sessions.
  await wait(Math.max(0, cutAt + 21_000 - performance.now()))
  way.delay(0)
  way.unblock()
  const ready = () => fetch(`${first.url}/readyz`).then(({ status }) => status)
  await expect.poll(ready, patient).toBe(200)
  for (const status of [...(await Promise.all(given)), (await load)?.status ?? 0]) expect([0, 503]).toContain(status)
  await phaseIs(first, idle, 'ready')
  for (const held of [loading, joining]) await phaseIs(first, held, 'ready')
  expect((await on(second, playing, 'GET')).body.phase).toBe('playing')
  await wait(2_000)

  for (const held of all) {
    const { fake, before } = held
    const ofFirst = fake.received.filter(({ connection }) => before.has(connection))
    const ofOthers = fake.received.filter(({ connection }) => !before.has(connection))
    const name = ['idle', 'loading', 'playing', 'waiting', 'joining', 'qualifier'][all.indexOf(held)]
    expect([name, new Set(ofOthers.map(({ connection }) => connection)).size]).toEqual([name, 1])
    expect((ofFirst.at(-1)?.at ?? 0) - cutAt).toBeLessThan(maxActingMs)
    expect(ofFirst.at(-1)?.at).toBeLessThan(ofOthers[0]?.at ?? 0)
    expect(fake.connections).toBe(1)
  }
  for (const held of sessions) {
    for (const game of gamesOf(held)) {
      expect(game.count('command.playSong')).toBe(held === playing ? 1 : 0)
      expect(game.count('command.returnToMenu')).toBe(0)
    }
  }
  expect(idle.fake.received.filter(({ kind }) => kind === 'request.setMatchMap')).toEqual([])

  qualifier.submit()
  const { cup } = qualifier
  const attempts = async () => (await callProcess(second, 'GET', `${cup.path}/attempts`, cup.organiser)).body.attempts
  await expect.poll(async () => (await attempts()).length, patient).toBe(1)
  // The song has continued, and its result reaches the session's new holder.
  for (const game of gamesOf(playing)) game.stop('passed')
  const proposals = async () =>
    (await callProcess(first, 'GET', `${playing.made.match(1)}/proposals`, playing.made.organiser)).body.proposals
  await expect.poll(async () => (await proposals())[0]?.status, patient).toBe('proposed')
  expect(await proposals()).toMatchObject([{ players: [{ score: 900_000 }, { score: 900_000 }] }])
  expect((await on(second, idle, 'POST', '/control', { action: 'take' })).status).toBe(200)
  expect((await on(first, idle, 'PUT', '/map', mapOf(idle, 2))).status).toBe(200)
  for (const service of [first, second]) service.signal('SIGTERM')
  await Promise.all([first.exit, second.exit])
  await way.close()
  await Promise.all(all.map(({ fake }) => fake.close()))
})
