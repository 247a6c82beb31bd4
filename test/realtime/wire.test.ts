import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { incoming } from '../../src/infra/realtime/doors/packets.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeTournament } from '../make.ts'
import type { Packet } from './copies.ts'
import { openSocket } from './sockets.ts'
import { frame, opcodes, openRaw, type RawSocket } from './wire.ts'

/** The service survives any input, and reports the fault. (RT14, RT28) */

let api: Harness
let topic: string
let user: Caller
const failures: unknown[] = []
beforeAll(async () => {
  api = await startHarness()
  user = await api.user()
  topic = `/tournaments/${(await makeTournament(api, await api.user(), { status: 'ongoing' })).guid}`
  const { log } = api.app
  log.error = (...args: unknown[]) => void failures.push(args)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
})

const { continuation, text, binary, close, ping, pong } = opcodes
const packet = (members: object) => JSON.stringify(members)
const subscribe = packet({ type: 'subscribe', topic: '/notices', id: 1 })
/** Its answer shows that the connection is still open. */
const alive = frame(text, packet({ type: 'ping', id: 'alive' }))
const isAlive = (raw: RawSocket) =>
  expect.poll(() => raw.packets().at(-1), { interval: 10 }).toMatchObject({ type: 'pong', id: 'alive' })

describe('frames that are in order', () => {
  test('in parts are one message, with others of control between them', async () => {
    const raw = await openRaw(api)
    const bytes = Buffer.from(packet({ type: 'ping', id: 'früh ✓' }))
    // Also between the bytes of a character.
    for (const [index, byte] of bytes.entries()) {
      raw.send(frame(index === 0 ? text : continuation, Buffer.from([byte]), { isFinal: index === bytes.length - 1 }))
      if (index % 7 === 0) raw.send(frame(ping, `${index}`))
    }
    await expect.poll(() => raw.packets(), { interval: 10 }).toMatchObject([{ type: 'pong', id: 'früh ✓' }])
    expect(raw.frames.some(({ opcode }) => opcode === pong)).toBe(true)
    raw.send(frame(text, '', { isFinal: false }), frame(continuation, subscribe))
    await expect.poll(() => raw.packets().at(-1), { interval: 10 }).toMatchObject({ type: 'snapshot', id: 1 })
    raw.socket.destroy()
  })

  test('that ask for the end get it', async () => {
    for (const [payload, code] of [
      [Buffer.from([3, 232]), 1000],
      [Buffer.from([3, 233, 98, 121, 101]), 1001],
      [Buffer.from([15, 160]), 4000],
    ] as const) {
      const raw = await openRaw(api)
      raw.send(frame(close, payload))
      expect(await raw.closed).toBe(code)
    }
  })

  test('are neither compressed nor held together by other means than what was agreed', async () => {
    const raw = await openRaw(api, ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'])
    expect(raw.head).toMatch(/^HTTP\/1\.1 101 /)
    expect(raw.head).not.toMatch(/sec-websocket-extensions/i)
    expect(raw.head).toMatch(/sec-websocket-protocol: downbeat\.v1/i)
    raw.socket.destroy()
  })
})

describe('frames that are not', () => {
  const half = { isFinal: false }
  test.each<[string, number, Buffer[]]>([
    ['without a mask', 1002, [frame(text, subscribe, { isMasked: false })]],
    ['with a reserved bit', 1002, [frame(text, subscribe, { reserved: 4 })]],
    ['with all reserved bits', 1002, [frame(ping, '', { reserved: 7 })]],
    ['of an unknown kind', 1002, [frame(3, subscribe)]],
    ['of an unknown kind of control', 1002, [frame(11)]],
    ['that go on with nothing', 1002, [frame(continuation, subscribe)]],
    ['that begin twice', 1002, [frame(text, '{', half), frame(text, '}')]],
    ['of control in parts', 1002, [frame(ping, '', half)]],
    ['of control that are too long', 1002, [frame(ping, 'x'.repeat(126))]],
    ['that end with half a code', 1002, [frame(close, 'x')]],
    ['that end with a code that nobody sends', 1002, [frame(close, Buffer.from([3, 237]))]],
    ['that end with what is no text', 1007, [frame(close, Buffer.from([3, 232, 0xff]))]],
    ['of what is no text', 1007, [frame(text, Buffer.from([0x7b, 0xc3, 0x28, 0x7d]))]],
    ['of half a character', 1007, [frame(text, Buffer.from([0x7b, 0xe2, 0x82]))]],
    ['of surrogates', 1007, [frame(text, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))]],
    ['of bytes', 4201, [frame(binary, subscribe)]],
    ['of no JSON', 4200, [frame(text, 'null,')]],
    ['of nothing', 4200, [frame(text)]],
    ['of what is no object', 4200, [frame(text, '[1]')]],
    ['of a string', 4200, [frame(text, '"x"')]],
    ['larger than their sender may send', 4202, [frame(text, packet({ type: 'ping', x: 'x'.repeat(8_192) }))]],
    ['larger than anybody may send', 1009, [frame(text, '', { length: 128 * 1024 + 1 })]],
    ['that promise a terabyte', 1009, [frame(text, 'x', { length: 2n ** 40n })]],
    ['that promise more than there can be', 1009, [frame(text, 'x', { length: 2n ** 63n })]],
    [
      'too large in parts',
      1009,
      Array.from({ length: 40 }, (_, index) => frame(index === 0 ? text : continuation, 'x'.repeat(4_000), half)),
    ],
  ])('%s end with %i', async (_what, code, frames) => {
    const raw = await openRaw(api)
    raw.send(...frames)
    expect(await raw.closed).toBe(code)
    expect(raw.packets()).toEqual([])
  })

  test('do not grow while they wait to be complete', async () => {
    const raws = await Promise.all(Array.from({ length: 20 }, () => openRaw(api)))
    const before = process.memoryUsage().arrayBuffers
    for (const raw of raws) raw.send(frame(text, '', { length: 128 * 1024 }))
    await wait(200)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 1024 * 1024)
    for (const raw of raws) raw.socket.destroy()
  })
})

test('a flood of pings is answered in part, and holds nothing up', async () => {
  const raw = await openRaw(api)
  const flood = Buffer.concat(Array.from({ length: 20_000 }, (_, index) => frame(ping, `${index}`.padStart(120))))
  raw.socket.write(flood)
  raw.send(alive)
  await isAlive(raw)
  const pongs = raw.frames.filter(({ opcode }) => opcode === pong)
  await expect
    .poll(() =>
      raw.frames
        .filter(({ opcode }) => opcode === pong)
        .at(-1)
        ?.payload.toString()
        .trim(),
    )
    .toBe('19999')
  expect(pongs.length).toBeLessThan(5_000)
  raw.socket.destroy()
})

describe('packets of any content', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'toString', '\0', '%00', '//', '../..'),
  )
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    word,
    fc.constantFrom(null, true, -0, 1e308, 2 ** 53, '', [], {}),
  )
  const name = fc.oneof(
    fc.constantFrom(
      '/notices',
      '/tournaments',
      '/users/@me/notifications',
      '/tournaments/%zz',
      '/tournaments//matches',
    ),
    fc.string().map((path) => `/tournaments/${path}`),
    fc.string().map((query) => `/tournaments?${query}`),
  )
  const right: Record<string, fc.Arbitrary<unknown>> = {
    topic: name,
    token: fc.string(),
    ticket: fc.string(),
    since: fc.string(),
    etag: fc.string(),
    facts: fc.boolean(),
    replace: fc.boolean(),
    rate: fc.integer({ min: 1, max: 10 }),
    at: fc.double({ noNaN: true }),
    name: fc.constantFrom('matches.start', 'matches.reportResult', 'notifications.read', 'updates.publish'),
    params: fc.dictionary(word, word),
    query: fc.dictionary(word, fc.boolean()),
    body: anything,
    key: fc.string(),
    ifMatch: fc.string(),
    value: anything,
    seq: fc.nat(),
    viewToken: fc.string(),
    generation: fc.nat(),
    vector: fc.constant('AA=='),
    data: fc.constant('AAA='),
  }
  /** Valid and invalid members. */
  const packets = fc.constantFrom(...Object.entries(incoming)).chain(([type, { properties }]) => {
    const names = Object.keys(properties).filter((member) => member !== 'type' && member !== 'id')
    const members = names.map(
      (member) => [member, fc.oneof({ weight: 9, arbitrary: right[member] ?? anything }, anything)] as const,
    )
    return fc
      .record(
        { ...Object.fromEntries(members), extra: anything },
        { requiredKeys: names.filter((member) => ['topic', 'name'].includes(member)) as never },
      )
      .map((rest) => ({ ...rest, type }))
  })
  const strange = anything.map((type) => ({ type }))

  test('are each answered once', async () => {
    const batches = fc.sample(
      fc.array(fc.oneof({ weight: 9, arbitrary: packets }, strange), { minLength: 40, maxLength: 40 }),
      { numRuns: 24, seed: 11 },
    )
    const codes = new Map<string, number>()
    for (const [index, batch] of batches.entries()) {
      const socket = await openSocket(api, { as: index % 4 === 3 ? null : user })
      const ids = batch.map((_, place) => (place % 2 === 0 ? place : `${index} ${place}`))
      // An anonymous client may send fewer packets at once; values are answered only when they are refused.
      const most = index % 4 === 3 ? 18 : batch.length
      const sent = batch.slice(0, most).map((each, place) => ({ ...each, id: ids[place] }))
      for (const each of sent) socket.socket.send(JSON.stringify(each))
      const answersTo = (id: unknown) => socket.copies.packets.filter((answer: Packet) => answer.id === id)
      const asked = sent.filter(({ type }) => type !== 'publish')
      await socket.copies.until(() => asked.every(({ id }) => answersTo(id).length > 0), 'the answers')
      await socket.ask({ type: 'ping' })
      for (const { id, type } of sent) {
        const answers = answersTo(id)
        expect(answers.length, JSON.stringify(sent.find((each) => each.id === id))).toBeLessThanOrEqual(1)
        if (type !== 'publish') expect(answers.length).toBe(1)
        const { code = answers[0]?.type } = answers[0] ?? {}
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
      await socket.close()
    }
    for (const code of ['packet.invalid', 'packet.unknown', 'topic.unknown', 'pong', 'snapshot']) {
      expect([code, codes.get(code) ?? 0]).not.toEqual([code, 0])
    }
    expect(codes.get('service.failed') ?? 0).toBe(0)
  })

  test('with names that are none of theirs are answered without one, or end the connection', async () => {
    const ids = [{}, [], 'x'.repeat(65), '😀'.repeat(65), 1.5, null, true]
    await using socket = await openSocket(api, { as: user })
    for (const id of ids) socket.socket.send(JSON.stringify({ type: 'ping', id }))
    await socket.copies.until(({ packets: all }) => all.length === 1 + ids.length, 'the answers')
    for (const answer of socket.copies.packets.slice(1)) {
      expect(answer).toMatchObject({ type: 'error', status: 400, code: 'packet.invalid' })
      expect(answer).not.toHaveProperty('id')
    }
  })

  test('with a name of 64 characters, each of two code units, are answered with it', async () => {
    const id = '😀'.repeat(64)
    await using socket = await openSocket(api, { as: user })
    for (const packet of [{ type: 'ping' }, { type: 'unsubscribe', topic: '/x' }, { type: 'of no kind' }]) {
      const before = socket.copies.packets.length
      socket.socket.send(JSON.stringify({ ...packet, id }))
      await socket.copies.until(({ packets: all }) => all.length > before, 'an answer')
      expect(socket.copies.packets.at(-1)).toMatchObject({ id })
    }
  })

  test('however deep they are', async () => {
    const deep = (opening: string, closing: string, depth: number) => opening.repeat(depth) + closing.repeat(depth)
    for (const nested of [deep('[', ']', 20_000), deep('{"a":', '}', 9_000).replace(':}', ':1}')]) {
      for (const begin of ['{"type":"command","id":1,"name":"matches.start","body":', '{"type":"ping","id":1,"x":']) {
        const socket = await openSocket(api, { as: user })
        socket.socket.send(`${begin}${nested}}`)
        const answered = socket.copies.until(({ packets: all }) => all.some(({ id }: Packet) => id === 1), 'an answer')
        const end = await Promise.race([answered.then(() => 0), socket.closed.then(({ code }) => code)])
        expect([0, 4200]).toContain(end)
        socket.socket.terminate()
      }
    }
  })
})

test('nothing of all that was a failure of the service', async () => {
  await expect.poll(() => [...api.app.services.realtime.peers].length).toBe(0)
  expect(failures).toEqual([])
  expect((await api.get(topic)).status).toBe(200)
})
