import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startFakeAssistant } from './assistant.ts'
import { allPermissions } from './permissions.ts'
import { Client, message, type Read } from './raw-client.ts'
import type { FakeAssistant } from './types.ts'

/**
 * The fake, tested with a client that reads and writes bytes without the generated code: the client cannot have the
 * same faults as the generated code or its use in the fake.
 */

let fake: FakeAssistant
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const others = generateKeyPairSync('rsa', { modulusLength: 2048 })

function sign(claims: object, key = keys.privateKey, expires = '1h'): Promise<string> {
  const usual = { id: '42', username: 'Cora', avatarUrl: 'https://img.invalid/a', scopes: ['tournamentassistant'] }
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setExpirationTime(expires)
    .sign(key)
}

beforeAll(async () => {
  fake = await startFakeAssistant({
    name: 'World Cup',
    keys: [keys.publicKey.export({ type: 'spki', format: 'pem' }) as string],
  })
  return () => fake.close()
})

const hash = 'ab'.repeat(20)
const levelId = `custom_level_${hash.toUpperCase()}`
const beatmap = message([1, 'Song'], [2, levelId], [3, message([1, 'Standard'])], [4, 4])
const parameters = message([1, beatmap])

test('from connecting to the end of a song', async () => {
  const cora = await Client.open(fake, await sign({}))
  const connected = await cora.ask(36, [1, 1310], [2, 1])
  expect(connected.number(1)).toBe(1)
  expect(connected.in(14).number(2)).toBe(1310)
  // Only its name before it is joined.
  const [outside] = connected.in(14, 1).every(1) as [Read]
  expect([outside.text(1), outside.in(2).text(1), outside.has(3)]).toEqual([fake.tournament.guid, 'World Cup', false])

  const ada = fake.player({ platformId: '7656', name: 'Ada', mods: ['Counters+'] })
  const bob = fake.player({ platformId: '123', name: 'Bob', kind: 'standalone' })
  const watcher = await Client.open(fake, await sign({ id: '43', username: 'Wim' }))
  await watcher.join()
  const joined = await cora.join()
  const inside = joined
    .in(15, 1)
    .every(1)
    .find((one) => one.text(1) === fake.tournament.guid) as Read
  expect(inside.in(2).texts(13).sort()).toEqual([...allPermissions].sort())
  const users = inside.every(3)
  expect(users.map((user) => [user.text(2), user.text(3), user.number(4)])).toEqual([
    ['Ada', '7656', 0],
    ['Bob', '123', 0],
    ['Wim', '', 1],
    ['Cora', '', 1],
  ])
  expect(users[0]?.texts(8)).toEqual(['Counters+'])
  expect(users[3]?.text(1)).toBe(cora.self)
  expect(cora.events(1)).toHaveLength(1)

  const within = [1, fake.tournament.guid] as const
  const asked = message([2, ada.guid], [2, bob.guid], [2, cora.self], [3, cora.self])
  const created = await cora.ask(2, within, [2, asked])
  const match = created.in(4, 2).text(1)
  expect(created.in(4, 2).texts(2)).toEqual([ada.guid, bob.guid, cora.self])
  expect(watcher.events(6)).toHaveLength(1)
  // A user can be in a match twice.
  await cora.ask(3, within, [2, match], [3, cora.self])
  expect(fake.matches[0]?.associatedUsers).toEqual([ada.guid, bob.guid, cora.self, cora.self])
  const led = await cora.ask(5, within, [2, match], [3, ada.guid])
  expect(led.in(5, 2).text(3)).toBe(ada.guid)
  const mapped = await cora.ask(6, within, [2, match], [3, message([1, 'map'], [2, parameters])])
  expect(mapped.in(5, 2, 4, 2, 1).text(2)).toBe(levelId)

  bob.script.download = { error: 'No such song' }
  const load = () => cora.post(40, [1, levelId], [3, fake.tournament.guid], [4, ada.guid], [4, bob.guid])
  const loading = load()
  expect((await cora.answered(loading, ada.guid)).number(1)).toBe(1)
  const failed = await cora.answered(loading, bob.guid)
  expect([failed.number(1), failed.in(17).text(2)]).toEqual([0, 'No such song'])
  const downloads = (name: string) =>
    cora.events(2).flatMap((event) => (event.in(2).text(2) === name ? [event.in(2).number(7)] : []))
  expect([downloads('Ada'), downloads('Bob')]).toEqual([
    [1, 2],
    [1, 3],
  ])
  // A player without the level does not start.
  cora.order([12, ada.guid], [12, bob.guid], [6, message([1, parameters])])
  await fake.until(() => bob.count('command.playSong') === 1 && ada.isInGame)
  expect(bob.isInGame).toBe(false)
  ada.stop()
  bob.script.download = 'ok'
  await cora.answered(load(), bob.guid)

  cora.packets.length = 0
  watcher.packets.length = 0
  const scores = [0.5, 0.5, 1].map((at) => ({ at, score: at * 800_000 }))
  ada.script.songs.push({ seconds: 0.1, score: 950_000, scores })
  bob.script.songs.push({ seconds: 0.1, completion: 'failed', score: 400_000, maxScore: 0, scores })
  cora.order([12, ada.guid], [12, bob.guid], [6, message([1, parameters])])
  await expect.poll(() => watcher.pushes(2).length, { interval: 5 }).toBe(2)
  // Sent to the observers of the match, without repeated values.
  expect(watcher.pushes(1)).toEqual([])
  const live = (guid: string) => cora.pushes(1).filter((score) => score.text(1) === guid)
  expect(live(ada.guid).map((score) => score.number(3))).toEqual([400_000, 800_000])
  expect(live(ada.guid).map((score) => [score.has(15), score.has(17)])).toEqual([
    [true, true],
    [true, true],
  ])
  expect(live(bob.guid).map((score) => [score.has(15), score.has(17)])).toEqual([
    [false, false],
    [false, false],
  ])
  const finished = (name: string) => cora.pushes(2).find((one) => one.in(1).text(2) === name) as Read
  const [first, second] = [finished('Ada'), finished('Bob')]
  expect([first.number(3), first.number(4), first.number(11), first.text(10)]).toEqual([0, 950_000, 1_000_000, match])
  expect([second.number(3), second.number(4), second.number(11), second.text(10)]).toEqual([1, 400_000, 0, ''])
  expect(first.in(2).text(2)).toBe(levelId)
  expect(first.text(9)).toBe(fake.tournament.guid)
  await expect.poll(() => [ada.user.playState, bob.user.playState]).toEqual([1, 0])

  // The match ends with its last user; until then its leader is a user who has left.
  ada.disconnect()
  bob.disconnect()
  expect(fake.matches[0]?.leader).not.toBe('')
  expect(fake.matches).toHaveLength(1)
  cora.socket.close()
  await expect.poll(() => watcher.events(8).length, { interval: 5 }).toBe(1)
  expect(fake.matches).toEqual([])
  watcher.socket.close()
})

test('refusals', async () => {
  const token = await sign({})
  const client = await Client.open(fake, token)
  const wrong = await client.ask(36, [1, 1240], [2, 1])
  expect([wrong.number(1), wrong.in(14).number(2), wrong.in(14).number(4)]).toEqual([0, 1310, 0])

  const bad = [
    '',
    'nonsense',
    await sign({}, others.privateKey),
    await sign({ scopes: ['assistant'] }),
    await sign({ id: undefined }),
    await sign({}, keys.privateKey, '-1m'),
  ]
  for (const each of bad) {
    const refused = await Client.open(fake, each)
    refused.post(36, [1, 1310], [2, 1])
    const told = await refused.find((packet) => packet.has(6))
    expect(told.in(6).text(9)).toMatch(/^https:/)
    expect(refused.packets).toHaveLength(1)
    refused.socket.terminate()
  }

  const closed = fake.addTournament({ name: 'Closed', password: 'open sesame' })
  const unjoined = await client.ask(37, [1, closed.guid], [2, 'please'])
  expect([unjoined.number(1), unjoined.in(15).number(5), unjoined.in(15).text(2)]).toEqual([0, 0, ''])
  expect((await client.ask(37, [1, closed.guid], [2, 'open sesame'])).number(1)).toBe(1)

  const reader = await Client.open(fake, 'readonly')
  await reader.join()
  const within = [1, fake.tournament.guid] as const
  const denied = await reader.ask(2, within, [2, message([2, reader.self])])
  expect([denied.number(1), denied.in(30).text(1)]).toEqual([0, 'tournament:match:create_match'])
  const ada = fake.player({ platformId: '7656', levels: [hash] })
  reader.order([12, ada.guid], [6, message([1, parameters])])
  // The server does not answer commands; the answer to a later request shows that the command was read.
  await reader.ask(7, within, [2, 'none'])
  expect(ada.received).toEqual([])

  await client.join()
  const gone = await client.ask(7, within, [2, 'none'])
  expect([gone.number(1), gone.in(6).has(2)]).toEqual([1, false])
  expect((await client.ask(3, within, [2, 'none'], [3, ada.guid])).number(1)).toBe(0)
  fake.permissions.lose('own', 'tournament:player:play_song')
  await client.find((packet) => packet.has(10) && packet.in(10).has(13))
  client.order([12, ada.guid], [6, message([1, parameters])])
  await client.ask(7, within, [2, 'none'])
  expect(ada.count('command.playSong')).toBe(0)
  fake.permissions.gain('own', 'tournament:player:play_song')
  for (const each of [token, 'readonly', ...bad]) expect(fake.tokens.has(each)).toBe(true)
  for (const each of [client, reader]) each.socket.close()
  ada.close()
})

test('a game of its own, which is forwarded to and answers itself', async () => {
  const claims = { id: null, username: 'Eve', scopes: ['tournamentassistant:game'], platformId: '99' }
  const eve = await Client.open(fake, await sign(claims))
  await eve.join()
  expect(fake.users.find(({ guid }) => guid === eve.self)).toMatchObject({
    name: 'Eve',
    platformId: '99',
    clientType: 0,
  })
  const bot = await Client.open(fake, fake.bot('Botty'))
  await bot.join()
  const loading = bot.post(40, [1, levelId], [3, fake.tournament.guid], [4, eve.self])
  const forwarded = await eve.find((packet) => packet.has(8))
  expect([forwarded.text(2), forwarded.text(3), forwarded.text(1)]).toEqual([loading, bot.self, ''])
  const response = message([1, 1], [2, loading], [17, message([1, levelId])])
  eve.send([5, message([1, bot.self], [2, message([2, randomUUID()], [9, response])])])
  expect((await bot.answered(loading, eve.self)).number(1)).toBe(1)
  // The game sends its state to others with a request.
  await eve.ask(1, [1, fake.tournament.guid], [2, message([1, eve.self], [6, 2], [7, 2])])
  const changed = await bot.find((packet) => packet.has(10) && packet.in(10).has(2))
  expect([changed.in(10, 2, 2).number(6), changed.in(10, 2, 2).number(7)]).toEqual([2, 2])
  for (const each of [eve, bot]) each.socket.close()
})

test('prompts, stream sync, pauses, and the way back to the menu', async () => {
  const bot = await Client.open(fake, fake.bot())
  await bot.join()
  const ada = fake.player({ platformId: '1', levels: [hash] })
  const bob = fake.player({ platformId: '2', levels: [hash], kind: 'standalone' })
  bob.script.prompt = { value: 'not_yet', afterMs: 5 }
  const options = ['ready', 'not_yet'].map((value) => [7, message([1, value], [2, value])] as const)
  const to = (field: number) => [ada, bob].map(({ guid }) => [field, guid] as const)
  const asking = bot.post(42, [1, 'p'], [2, 'Ready?'], [4, 10], ...options, [8, fake.tournament.guid], ...to(9))
  expect((await bot.answered(asking, ada.guid)).in(19).text(1)).toBe('ready')
  expect((await bot.answered(asking, bob.guid)).in(19).text(1)).toBe('not_yet')

  const synced = message([1, beatmap], [10, true])
  bot.order(...to(12), [6, message([1, synced])])
  await fake.until(() => ada.isInGame && bob.isInGame)
  bob.pause()
  bot.order([12, ada.guid], [12, bob.guid], [3, true])
  await fake.until(() => !ada.isInGame)
  await expect.poll(() => bot.pushes(2).length, { interval: 5 }).toBe(1)
  expect(bob.isInGame).toBe(true)
  bot.order(...to(12), [2, true])
  await fake.until(() => !bob.isInGame)
  // A standalone game that returns to the menu reports nothing; a desktop game reports that the song was quit.
  bob.resume()
  bot.order([12, ada.guid], [6, message([1, parameters])])
  await fake.until(() => ada.isInGame)
  bot.order([12, ada.guid], [2, true])
  await expect
    .poll(() => bot.pushes(2).map((one) => [one.in(1).text(2), one.number(3)]))
    .toEqual([
      ['Player 1', 0],
      ['Player 1', 2],
    ])
  expect([ada.count('command.playSong'), bob.count('command.returnToMenu')]).toEqual([2, 1])
  bot.socket.close()
})

test('boards, attempts, and the maps of qualifiers and pools', async () => {
  const bot = await Client.open(fake, fake.bot())
  await bot.join()
  const { guid, maps } = fake.addQualifier({ maps: [{ hash, attempts: 4 }], hideScores: true })
  const map = maps[0] as string
  fake.submit({ guid }, map, { platformId: '1', score: 0, isPlaceholder: true })
  for (const score of [700, 900, 800]) fake.submit({ guid }, map, { platformId: '1', score, misses: 3 })
  fake.submit({ guid }, map, { platformId: '2', score: 850 })
  await expect.poll(() => bot.pushes(3).length, { interval: 5 }).toBe(5)
  expect(bot.pushes(3).map((push) => [push.in(4).number(6), push.in(4).number(14)])).toEqual([
    [0, 1],
    [700, 0],
    [900, 0],
    [800, 0],
    [850, 0],
  ])
  const within = [1, fake.tournament.guid] as const
  const board = async () => {
    const answer = await bot.ask(38, within, [2, guid], [3, map])
    expect(answer.number(1)).toBe(1)
    return answer
      .in(16)
      .every(1)
      .map((row) => [row.text(3), row.number(6)])
  }
  expect(await board()).toEqual([
    ['1', 900],
    ['2', 850],
  ])
  await bot.ask(58, within, [2, guid], [3, map], [4, '1'], [5, 2])
  expect(fake.boards.rows(guid, map).map(({ modifiedScore }) => modifiedScore)).toEqual([900, 850])
  fake.permissions.lose('bot', 'tournament:qualifier:see_hidden_qualifier_scores')
  expect(await board()).toEqual([])
  fake.permissions.gain('bot', 'tournament:qualifier:see_hidden_qualifier_scores')

  const added = await bot.ask(14, within, [2, guid], [3, message([2, parameters])])
  const [, second] = added.in(8, 2).every(5) as [Read, Read]
  expect(second.in(2, 1).text(2)).toBe(levelId)
  await bot.ask(15, within, [2, guid], [3, message([1, second.text(1)], [2, message([1, beatmap], [4, 9])])])
  expect(fake.qualifiers.at(-1)?.qualifierMaps.map((one) => one.gameplayParameters?.attempts)).toEqual([4, 9])
  await bot.ask(16, within, [2, guid], [3, map])
  expect(fake.qualifiers.at(-1)?.qualifierMaps.map((one) => one.guid)).toEqual([second.text(1)])

  await bot.ask(28, within, [2, message([2, 'Finals'])])
  const pool = fake.pools.at(-1)?.guid as string
  const filled = await bot.ask(30, within, [2, pool], [3, message([2, parameters])], [3, message([2, parameters])])
  const shown = filled.in(11, 2, 2).every(8).at(-1) as Read
  expect([shown.text(2), shown.all(4).length]).toEqual(['Finals', 2])
  await bot.ask(32, within, [2, pool], [3, shown.every(4)[0]?.text(1) as string])
  await bot.ask(29, within, [2, pool], [3, 'Grand Finals'])
  expect(fake.pools.map(({ name, maps: left }) => [name, left.length])).toEqual([['Grand Finals', 1]])
  await bot.ask(33, within, [2, pool])
  expect(fake.pools).toEqual([])
  bot.socket.close()
})

test('faults', async () => {
  await using own = await startFakeAssistant({ tls: true })
  const token = own.bot()
  const connect = (client: Client) => client.post(36, [1, 1310], [2, 1])
  const open = () => Client.open(own, token)
  const cut = async (...fault: Parameters<typeof own.faults.add>) => {
    const client = await open()
    const back = own.faults.add(...fault)
    connect(client)
    await once(client.socket, 'close')
    back()
    return client.packets.length
  }
  expect(await cut({ direction: 'received', kind: 'request.connect', nth: 1 }, 'cutBefore')).toBe(0)
  expect(await cut({ direction: 'sent', nth: 1 }, 'cutBefore')).toBe(0)
  expect(await cut({ direction: 'sent', kind: /^response/ }, 'cutWithin')).toBe(0)
  expect(await cut({ direction: 'sent', kind: /^response/ }, 'cutAfter')).toBe(1)

  const client = await open()
  // A fault counts packets from when it was set: the second answer comes after the third.
  own.faults.add({ direction: 'sent', nth: 2 }, 'reorder')
  own.faults.add({ direction: 'sent', nth: 3 }, 'duplicate')
  own.faults.add({ direction: 'sent', nth: 4 }, 'drop')
  const ids = [connect(client), connect(client), connect(client), connect(client), connect(client)]
  const [first, second, third, , fifth] = ids
  await expect
    .poll(() => client.packets.map((packet) => packet.in(9).text(2)), { interval: 5 })
    .toEqual([...[first, third, third, second, fifth]])
  own.faults.clear()
  own.faults.latencyMs = 60
  const asked = performance.now()
  await client.answered(connect(client))
  expect(performance.now() - asked).toBeGreaterThan(55)
  own.faults.clear()

  const frames: [number, boolean][] = []
  client.socket.removeAllListeners('message')
  client.socket.on('message', (data, isBinary) => frames.push([(data as Buffer).length, isBinary]))
  own.faults.garbage()
  own.faults.text()
  own.faults.oversize(2_000_000)
  await expect.poll(() => frames.length, { interval: 5 }).toBe(3)
  expect([frames[0], frames[1]?.[1]]).toEqual([[64, true], false])
  expect(frames[2]?.[0]).toBeGreaterThan(2_000_000)

  const ada = own.player({ platformId: '1' })
  own.others.createMatch([ada.guid])
  const before = ada.guid
  const closed = once(client.socket, 'close')
  await own.restart()
  await closed
  expect([own.matches.length, own.users.length, ada.guid === before]).toEqual([0, 1, false])
  const again = await open()
  await again.answered(connect(again))
  let pongs = 0
  again.socket.on('pong', () => pongs++)
  again.socket.ping()
  await expect.poll(() => pongs, { interval: 5 }).toBe(1)
  own.faults.halfOpen()
  again.socket.ping()
  connect(again)
  const other = await open()
  await other.answered(connect(other))
  expect([pongs, again.packets.length, again.socket.readyState]).toEqual([1, 1, WebSocket.OPEN])
})
