import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeUpdates, megabyte, noteEnds } from './slow-readers.ts'
import { eventsPath } from './streams.ts'

/** A slow reader gets all of a large body while it keeps reading, and little more than the body waits for it. (RT30) */

let api: Harness
let organiser: Caller
const endOf = noteEnds()
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

/** How much may wait besides the large body, including packets that are being gathered. */
const maxBeside = megabyte + 512 * 1024
const bytesPerSecond = 600_000

/** About 3.6 MB in a single record, because a page with another record would end before it. */
async function makeLarge() {
  const large = await makeUpdates(api, organiser, 3_600_000, 1)
  const size = (await api.get(large.updates)).text.length
  expect(size).toBeGreaterThan(3.4 * megabyte)
  return { ...large, size }
}

/** Reads small parts at an even pace. */
function slowly(socket: NetSocket): void {
  let taken = 0
  const begun = performance.now()
  const look = () => {
    if (taken > ((performance.now() - begun) / 1_000) * bytesPerSecond) socket.pause()
    else socket.resume()
  }
  socket.on('data', (chunk: Buffer) => {
    taken += chunk.length
    look()
  })
  const timer = setInterval(look, 10)
  socket.on('close', () => clearInterval(timer))
}

/** The change after the large states. */
const last = 'The last.'

test.concurrent('over a socket', async () => {
  const cup = await makeLarge()
  const socket = new WebSocket(`${api.app.socketAddress}/`, ['downbeat.v1'])
  const packets: { type: string; topic?: string; id?: number; body?: unknown; patch?: { value?: unknown }[] }[] = []
  socket.on('message', (data) => packets.push(JSON.parse(String(data))))
  let code = 0
  socket.on('close', (closed) => {
    code = closed
  })
  await once(socket, 'open')
  const raw = socket['_socket' as never] as NetSocket
  const end = endOf(raw)
  const peer = [...api.app.services.realtime.peers].find(({ door }) => door === 'socket') as unknown as {
    readonly waiting: number
  }
  slowly(raw)
  socket.send(JSON.stringify({ type: 'subscribe', topic: cup.topic }))
  // Requests that come faster than they are handled wait in order; the system's buffers hold the first ones.
  for (let id = 1; id <= 4; id++) {
    socket.send(JSON.stringify({ type: 'subscribe', topic: cup.updates, id, replace: true }))
  }
  let most = 0
  const isThere = () => packets.some(({ patch }) => patch?.some(({ value }) => value === last))
  const answers = () => packets.filter(({ id }) => id !== undefined && id <= 4)
  let id = 10
  for (let turn = 0; !isThere() && code === 0; turn++) {
    if (turn === 4 || answers().length === 4) await cup.change(answers().length === 4 ? last : 'Not yet.')
    // Answered between the pieces, or after them.
    if (turn % 5 === 0) {
      socket.ping()
      socket.send(JSON.stringify({ type: 'ping', id: id++ }))
    }
    most = Math.max(most, end.writableLength, peer.waiting)
    await wait(200)
  }
  expect(code).toBe(0)
  expect(answers().map((answer) => [answer.type, answer.id])).toEqual([1, 2, 3, 4].map((each) => ['snapshot', each]))
  const { body } = await api.get(cup.updates)
  for (const answer of answers()) expect(answer.body).toEqual(body)
  expect(most).toBeGreaterThan(megabyte)
  expect(most).toBeLessThan(cup.size + maxBeside)
  socket.terminate()
}, 120_000)

test.concurrent('over a stream', async () => {
  const cup = await makeLarge()
  const request = get(`${api.url}/api${eventsPath([cup.topic, cup.updates])}`, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const end = endOf(request.socket)
  const peer = [...api.app.services.realtime.peers].find(({ door }) => door === 'ndjson')
  const { body: readable } = peer as unknown as { readonly body: Readable }
  slowly(request.socket as NetSocket)
  let text = ''
  let isOver = false
  response.setEncoding('utf8')
  response.on('data', (chunk) => {
    text += chunk
  })
  response.on('close', () => {
    isOver = true
  })
  response.on('error', () => {})
  let most = 0
  const isThere = () => text.includes(last) && text.endsWith('\n')
  const isPresent = () => text.includes('dddddddddd')
  for (let turn = 0; !isThere() && !isOver; turn++) {
    if (turn > 0 && turn % 10 === 0 && turn <= 30) await cup.rewrite()
    if (turn > 30 && isPresent()) await cup.change(last)
    most = Math.max(most, end.writableLength + readable.readableLength)
    await wait(200)
  }
  expect([isOver, isThere()]).toEqual([false, true])
  const states = text.split('\n').filter((line) => line !== '')
  const { body } = await api.get(cup.updates)
  const held = states
    .map((line) => JSON.parse(line))
    .findLast(({ type, topic }) => type === 'snapshot' && topic === cup.updates)
  expect(held.body).toEqual(body)
  expect(most).toBeLessThan(cup.size + maxBeside)
  request.destroy()
}, 120_000)
