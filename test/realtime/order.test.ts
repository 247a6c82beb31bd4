import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeTournament } from '../make.ts'
import { openSocket } from './sockets.ts'
import { eventsPath } from './streams.ts'
import { frame, opcodes, openRaw, type RawSocket } from './wire.ts'

/** Answers are sent in the order of their requests, including refusals, and before the socket is closed. (D83) */

let api: Harness
let user: Caller
let cup: string
beforeAll(async () => {
  api = await startHarness()
  user = await api.user()
  cup = `/tournaments/${(await makeTournament(api, await api.user(), { status: 'ongoing' })).guid}`
})
afterAll(() => api[Symbol.asyncDispose]())

const { text, close } = opcodes
const packetsOf = (...packets: object[]) => Buffer.concat(packets.map((packet) => frame(text, JSON.stringify(packet))))
const pings = (count: number) => Array.from({ length: count }, (_, id) => ({ type: 'ping', id }))
const told = (raw: RawSocket) =>
  (raw.packets() as { id?: unknown; type: string }[]).map(({ id, type }) => `${type} ${id}`)
const pongs = (count: number) => Array.from({ length: count }, (_, id) => `pong ${id}`)
const bearer = (caller: Caller) => [`Authorization: Bearer ${caller.token}`]

describe('what was accepted is answered before the end', () => {
  test('of whoever is too fast: the refusals come behind the answers', async () => {
    const raw = await openRaw(api)
    raw.send(packetsOf(...pings(30)))
    expect(await raw.closed).toBe(4205)
    // On a machine that pauses meanwhile, more than twenty are accepted.
    const answers = raw.packets() as { id?: unknown; type: string }[]
    expect(answers.map(({ id }) => id)).toEqual(answers.map((_, index) => index))
    expect(told(raw).slice(0, 20)).toEqual(pongs(20))
    expect(answers.filter(({ type }) => type === 'error').length).toBe(2)
  })

  test.each<[string, number, Buffer]>([
    ['that the client asks for', 1000, frame(close, Buffer.from([3, 232]))],
    ['for what is no frame', 1002, frame(text, '{}', { reserved: 2 })],
    ['for what is no text', 1007, frame(text, Buffer.from([0xff, 0xfe]))],
    ['for what is too large for any frame', 1009, frame(text, '{}', { length: 200_000 })],
    ['for what is no JSON', 4200, frame(text, 'none')],
    ['for bytes', 4201, frame(opcodes.binary, '{}')],
    ['for a packet that is too large', 4202, packetsOf({ type: 'ping', fill: 'x'.repeat(9_000) })],
  ])('%s', async (_what, code, last) => {
    const raw = await openRaw(api)
    const asked = [...pings(10), { type: 'subscribe', id: 10, topic: cup }, { type: 'ping', id: 11 }]
    // Packets after the end are ignored.
    raw.send(packetsOf(...asked), last, packetsOf({ type: 'ping', id: 'late' }))
    expect(await raw.closed).toBe(code)
    expect(told(raw)).toEqual([...pongs(10), 'snapshot 10', 'pong 11'])
  })

  test('for a token that is revoked, where what follows it is told no more', async () => {
    const own = await api.user()
    await using socket = await openSocket(api, { as: own })
    await socket.ask({ type: 'subscribe', topic: cup })
    const waiting = Array.from({ length: 5 }, (_, id) => {
      return socket.ask({ type: 'command', name: 'notifications.read', body: { all: true }, key: `read-${id}` })
    })
    await api.sql(`select emit_event('connection.closed', $1::uuid, null, $2::uuid, null, null, $3::text[])`, [
      [...api.app.services.realtime.peers].find(({ bearer: shown }) => shown?.actor.guid === own.guid)?.guid,
      own.guid,
      [own.guid],
    ])
    expect((await socket.closed).code).toBe(4101)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ type }) => type)).toEqual(Array(5).fill('result'))
  })
})

describe('answers come in the order of what was asked', () => {
  test('whoever asks for more than they may, and for what there is not', async () => {
    const raw = await openRaw(api, bearer(user))
    const asked = Array.from({ length: 62 }, (_, id) => {
      if (id % 10 === 3) return { type: 'subscribe', id, topic: `${cup}?facts=${id % 2}`, replace: true }
      if (id % 10 === 5) return { type: 'subscribe', id, topic: `/tournaments/none-${id}` }
      if (id % 10 === 7) return { type: 'update', id, topic: cup, data: 'AAA=', seq: id }
      if (id % 10 === 8) return { type: 'update', id, topic: cup, data: 'AAA=', seq: 'none' }
      return { type: id % 10 === 9 ? 'unknown' : 'ping', id }
    })
    // Updates have a separate limit: of the other packets sixty may come at once, and the last two are refused.
    const rest = Array.from({ length: 12 }, (_, index) => ({ type: 'ping', id: 62 + index }))
    raw.send(packetsOf(...asked, ...rest))
    await expect.poll(() => told(raw).length, { interval: 10 }).toBe(74)
    expect((raw.packets() as { id?: unknown }[]).map(({ id }) => id)).toEqual([...asked, ...rest].map(({ id }) => id))
    raw.socket.destroy()
  })

  test('commands among themselves, with those that are not taken', async () => {
    const raw = await openRaw(api, bearer(user))
    const commands = Array.from({ length: 40 }, (_, id) => {
      const body = id % 3 === 0 ? { all: true } : { nonsense: [id] }
      return { type: 'command', id, name: id % 5 === 4 ? 'no.command' : 'notifications.read', body }
    })
    raw.send(packetsOf(...commands))
    await expect.poll(() => told(raw).length, { interval: 10 }).toBe(40)
    expect((raw.packets() as { id?: unknown }[]).map(({ id }) => id)).toEqual(commands.map(({ id }) => id))
    const codes = (raw.packets() as { code?: string }[]).map(({ code }) => code)
    expect(codes.indexOf('commands.limit')).toBe(32)
    raw.socket.destroy()
  })
})

describe('booleans are true, false, 1 or 0 at every door', () => {
  const flags = [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const

  test.each(flags)('in an address: %s', async (text_, isAsked) => {
    const name = `${cup}${isAsked ? '?facts=1' : ''}`
    for (const path of [
      eventsPath([cup], { facts: text_, wait: '0' }),
      eventsPath([`${cup}?facts=${text_}`], { wait: '0' }),
    ]) {
      const reply = await api.get(path)
      expect([reply.status, JSON.parse(reply.text).topic]).toEqual([200, name])
    }
    expect((await api.get(`${cup}/matches?delayed=${text_}`)).headers.get('delayed')).toBe(isAsked ? '0' : null)
  })

  test('over a socket', async () => {
    await using socket = await openSocket(api)
    for (const facts of [true, false, 1, 0, ...flags.map(([text_]) => text_)]) {
      const isNamed = typeof facts === 'string'
      const topic = isNamed ? `${cup}?facts=${facts}` : cup
      const asked = { type: 'subscribe', topic, replace: 1, ...(isNamed ? {} : { facts }) }
      const isAsked = facts === true || facts === 1 || facts === 'true' || facts === '1'
      expect(await socket.ask(asked)).toMatchObject({ type: 'snapshot', topic: `${cup}${isAsked ? '?facts=1' : ''}` })
    }
    expect(await socket.ask({ type: 'unsubscribe', topic: `${cup}?facts=true` })).toMatchObject({ type: 'ended' })
  })

  test('and nothing else', async () => {
    for (const value of ['yes', '2', '', 'TRUE']) {
      expect((await api.get(eventsPath([cup], { facts: value, wait: '0' }))).status).toBe(400)
      expect((await api.get(`${cup}/matches?delayed=${value}`)).status).toBe(400)
    }
    await using socket = await openSocket(api)
    for (const facts of ['true', 2, null]) {
      expect(await socket.ask({ type: 'subscribe', topic: cup, facts })).toMatchObject({ code: 'packet.invalid' })
    }
  })
})
