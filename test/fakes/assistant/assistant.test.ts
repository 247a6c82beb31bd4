import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type FakeAssistant, startFakeAssistant } from './assistant.ts'
import { allPermissions } from './permissions.ts'

/**
 * The fake, asked by a client that writes and reads bytes by hand from the table of the wire: what is wrong in the code that is
 * generated, or in how the fake uses it, cannot be wrong in the same way here.
 */

/** Members by field number: text, varints, and messages whose bytes are members again. */
type Fields = readonly (readonly [number, string | number | boolean | Buffer])[]

function varint(value: number): Buffer {
  const bytes = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  return Buffer.from([...bytes, rest])
}

function message(...fields: Fields): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'boolean') return [varint(number * 8), varint(Number(value))]
      const bytes = Buffer.from(value as string)
      return [varint(number * 8 + 2), varint(bytes.length), bytes]
    }),
  )
}

class Read {
  readonly #fields = new Map<number, (Buffer | number)[]>()

  constructor(bytes: Buffer) {
    let at = 0
    const next = () => {
      let value = 0
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[at++] as number
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
    }
    const take = (length: number) => {
      at += length
      return bytes.subarray(at - length, at)
    }
    while (at < bytes.length) {
      const tag = next()
      const kind = tag % 8
      const value = kind === 0 ? next() : kind === 1 ? take(8) : kind === 5 ? take(4) : take(next())
      const number = Math.floor(tag / 8)
      this.#fields.set(number, [...(this.#fields.get(number) ?? []), value])
    }
  }

  has(number: number): boolean {
    return this.#fields.has(number)
  }

  all(number: number): Buffer[] {
    return (this.#fields.get(number) ?? []) as Buffer[]
  }

  number(number: number): number {
    return (this.#fields.get(number)?.at(-1) ?? 0) as number
  }

  text(number: number): string {
    return this.all(number).at(-1)?.toString() ?? ''
  }

  texts(number: number): string[] {
    return this.all(number).map(String)
  }

  /** The member of a path of members. */
  in(...path: readonly number[]): Read {
    const [first, ...rest] = path
    if (first === undefined) return this
    const member = this.all(first).at(-1)
    if (member === undefined) throw new Error(`nothing in ${first}`)
    return new Read(member).in(...rest)
  }

  every(number: number): Read[] {
    return this.all(number).map((bytes) => new Read(bytes))
  }
}

/** Of packets: 6 command, 7 push, 8 request, 9 response, 10 event, 11 heartbeat. */
class Client {
  readonly packets: Read[] = []
  readonly socket: WebSocket
  self = ''
  readonly #token: string

  private constructor(socket: WebSocket, token: string) {
    this.socket = socket
    this.#token = token
    socket.on('message', (data) => this.packets.push(new Read(data as Buffer)))
    socket.on('error', () => {})
  }

  static async open(url: string, token: string): Promise<Client> {
    const socket = new WebSocket(url, { rejectUnauthorized: false })
    const client = new Client(socket, token)
    await once(socket, 'open')
    return client
  }

  send(...packet: Fields): string {
    const id = randomUUID()
    this.socket.send(message([1, this.#token], [2, id], [3, this.self], ...packet))
    return id
  }

  /** @returns the id of the packet */
  post(type: number, ...fields: Fields): string {
    return this.send([8, message([type, message(...fields)])])
  }

  order(...fields: Fields): void {
    this.send([6, message([11, fakeTournament()], ...fields)])
  }

  /** The first packet that fits, of those that came or come. */
  async find(fits: (packet: Read) => boolean): Promise<Read> {
    await expect.poll(() => this.packets.some(fits), { interval: 5, timeout: 3_000 }).toBe(true)
    return this.packets.find(fits) as Read
  }

  async answered(id: string, from?: string): Promise<Read> {
    const packet = await this.find(
      (one) => one.has(9) && one.in(9).text(2) === id && (from === undefined || one.text(3) === from),
    )
    return packet.in(9)
  }

  /** Asks within the tournament, and waits for the answer. */
  async ask(type: number, ...fields: Fields): Promise<Read> {
    return this.answered(this.post(type, ...fields))
  }

  async join(password = ''): Promise<Read> {
    await this.ask(36, [1, 1310], [2, 1])
    const answer = await this.ask(37, [1, fakeTournament()], [2, password])
    if (answer.number(1) === 1) this.self = answer.in(15).text(2)
    return answer
  }

  pushes(kind: number): Read[] {
    return this.packets.filter((packet) => packet.has(7) && packet.in(7).has(kind)).map((packet) => packet.in(7, kind))
  }

  events(kind: number): Read[] {
    return this.packets
      .filter((packet) => packet.has(10) && packet.in(10).has(kind))
      .map((packet) => packet.in(10, kind))
  }
}

let fake: FakeAssistant
const fakeTournament = () => fake.tournament.guid
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
  const cora = await Client.open(fake.url, await sign({}))
  const connected = await cora.ask(36, [1, 1310], [2, 1])
  expect(connected.number(1)).toBe(1)
  expect(connected.in(14).number(2)).toBe(1310)
  // Nothing but its name before it is joined.
  const [outside] = connected.in(14, 1).every(1) as [Read]
  expect([outside.text(1), outside.in(2).text(1), outside.has(3)]).toEqual([fake.tournament.guid, 'World Cup', false])

  const ada = fake.player({ platformId: '7656', name: 'Ada', mods: ['Counters+'] })
  const bob = fake.player({ platformId: '123', name: 'Bob', kind: 'standalone' })
  const watcher = await Client.open(fake.url, await sign({ id: '43', username: 'Wim' }))
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
  // Doubles stay.
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
  // Whoever does not hold it does not begin.
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
  // To those who watch the match, and of equal ones only the first.
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

  // The match ends with its last user, and until then its leader is the one who left.
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
  const client = await Client.open(fake.url, token)
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
    const refused = await Client.open(fake.url, each)
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

  const reader = await Client.open(fake.url, 'readonly')
  await reader.join()
  const within = [1, fake.tournament.guid] as const
  const denied = await reader.ask(2, within, [2, message([2, reader.self])])
  expect([denied.number(1), denied.in(30).text(1)]).toEqual([0, 'tournament:match:create_match'])
  const ada = fake.player({ platformId: '7656', levels: [hash] })
  reader.order([12, ada.guid], [6, message([1, parameters])])
  // The server answers nothing to a command; a request that comes after it shows that it was read.
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
  const seen = new Set(fake.received.map(({ packet }) => packet.token))
  for (const each of [token, 'readonly', ...bad]) expect(seen.has(each)).toBe(true)
  for (const each of [client, reader]) each.socket.close()
  ada.close()
})
