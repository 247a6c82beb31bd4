import { once } from 'node:events'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { Json } from '../../src/core/patch.ts'
import type { Caller, Harness } from '../harness.ts'
import { makeTournament } from '../make.ts'
import type { Packet } from './copies.ts'
import { openSocket, type Socket } from './sockets.ts'
import { eventsPath } from './streams.ts'

/** How a visitor comes back who followed a topic before. */

export interface Back {
  readonly since?: string
  readonly etag?: string
  readonly facts?: boolean
  /** Null for an anonymous visitor. */
  readonly as?: Caller | null
}

export const doors = ['socket', 'stream'] as const
export type Door = (typeof doors)[number]

/** All packets that a returning visitor gets immediately, without the members that only one kind of connection has. */
export async function comeBack(door: Door, api: Harness, topic: string, back: Back): Promise<Packet[]> {
  const packets = door === 'socket' ? await bySocket(api, topic, back) : await byStream(api, topic, back)
  return packets.map(({ id: _, since: __, ...packet }) => packet)
}

async function bySocket(api: Harness, topic: string, { as = null, ...back }: Back): Promise<Packet[]> {
  const headers = as === null ? {} : { authorization: `Bearer ${as.token}` }
  const socket = new WebSocket(`${api.app.socketAddress}/`, ['downbeat.v1'], { headers })
  const packets: Packet[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    const packet = JSON.parse(String(data))
    // Answers come in the order of the requests.
    if (packet.type === 'pong') resolve()
    else if (packet.type !== 'hello') packets.push(packet)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'subscribe', topic, ...back }))
  socket.send(JSON.stringify({ type: 'ping' }))
  await promise
  socket.close()
  await once(socket, 'close')
  return packets
}

/** A poll without waiting; it has no ETag. */
async function byStream(api: Harness, topic: string, { since, facts, as }: Back): Promise<Packet[]> {
  const query = { wait: '0', ...(since === undefined ? {} : { since }), ...(facts ? { facts: 'true' } : {}) }
  const reply = await api.get(eventsPath([topic], query), as)
  if (reply.status !== 200) throw new Error(`refused: ${reply.text}`)
  return reply.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

let changes = 0

/** A tournament whose summary changes. */
export async function makeChanging(of: Harness, by: Caller) {
  const { guid } = await makeTournament(of, by, { status: 'ongoing' })
  const topic = `/tournaments/${guid}`
  return {
    guid,
    topic,
    named: `${topic}?facts=1`,
    async change(times = 1) {
      for (let time = 0; time < times; time++) {
        const reply = await of.patch(topic, by, { summary: `Number ${++changes}.` })
        expect(reply.status).toBe(200)
      }
    },
  }
}

export type Told = Awaited<ReturnType<typeof makeChanging>>

/** A visitor who receives facts. */
export async function followFacts(cup: Told, of: Harness): Promise<Socket> {
  const socket = await openSocket(of)
  await socket.ask({ type: 'subscribe', topic: cup.topic, facts: true })
  return socket
}

/** Makes changes, one packet each; returns the follower's position after them. */
export async function pass(
  cup: Told,
  { copies }: Socket,
  times = 1,
): Promise<{ position: string; etag: string; body: Json }> {
  for (let time = 0; time < times; time++) {
    const before = copies.of(cup.named).position
    await cup.change()
    await copies.until((held) => held.of(cup.named).position !== before, 'the change')
  }
  const { position, etag, body } = copies.of(cup.named)
  return { position, etag, body: body as Json }
}
