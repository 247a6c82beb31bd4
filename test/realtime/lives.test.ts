import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from '../harness.ts'
import { openSocket } from './sockets.ts'
import { connectTo, frame, handshakeText, opcodes, openRaw } from './wire.ts'

/** The end of connections that do not complete their start or are not used. (RT28) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const endOf = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve))
const subscribe = JSON.stringify({ type: 'subscribe', topic: '/notices', id: 1 })

test('who stays in the middle of a handshake is let go after ten seconds', async () => {
  const begun = performance.now()
  const texts = ['', 'GET / HT', handshakeText().slice(0, -2), 'GET / HTTP/1.1\r\nHost: x\r\n']
  const sockets = await Promise.all(
    texts.map(async (begin) => {
      const socket = await connectTo(api)
      if (begin !== '') socket.write(begin)
      socket.resume()
      return socket
    }),
  )
  // Another one sends a byte now and then.
  const dripping = await connectTo(api)
  dripping.resume()
  const drip = setInterval(() => dripping.write('x'), 500)
  await Promise.all([...sockets, dripping].map(endOf))
  clearInterval(drip)
  expect(performance.now() - begun).toBeLessThan(25_000)
})

test('what is no handshake is refused in words', async () => {
  const answer = async (bytes: string) => {
    const socket = await connectTo(api)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.write(bytes)
    await endOf(socket)
    return Number(received.split(' ')[1])
  }
  expect(await answer(handshakeText('/elsewhere'))).toBe(404)
  expect(await answer(handshakeText().replace('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 12'))).toBe(400)
  expect(await answer(handshakeText().replace(/Sec-WebSocket-Key: .*/, 'Sec-WebSocket-Key: x'))).toBe(400)
  expect(await answer(handshakeText().replace('GET', 'POST'))).toBe(405)
  expect(await answer(handshakeText('/', ['Authorization: Bearer nonsense']))).toBe(401)
  expect(await answer('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(426)
  expect(await answer('\x16\x03\x01\x00\xa5\x01\x00')).toBe(400)
})

test('whoever says nothing for a minute is let go, and whoever asks for nothing for half of one', async () => {
  await using service = await startHarness()
  // These do not answer pings either.
  const follower = await openRaw(service)
  follower.send(frame(opcodes.text, subscribe))
  const known = await openRaw(service, [`Authorization: Bearer ${(await service.user()).token}`])
  const talker = await openSocket(service)
  await talker.ask({ type: 'subscribe', topic: '/notices' })
  const idle = await openSocket(service)
  await expect.poll(() => follower.packets().length, { interval: 10 }).toBe(1)
  const real = Date.now
  const shift = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)
  try {
    shift(31_000)
    expect((await idle.closed).code).toBe(4007)
    await talker.ask({ type: 'ping' })
    shift(62_000)
    expect(await Promise.all([follower.closed, known.closed])).toEqual([4009, 4009])
    expect(await talker.ask({ type: 'ping' })).toMatchObject({ type: 'pong' })
  } finally {
    vi.mocked(Date.now).mockRestore()
  }
  await talker.close()
})
