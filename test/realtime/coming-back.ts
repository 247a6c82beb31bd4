import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Harness } from '../harness.ts'
import type { Packet } from './copies.ts'
import { eventsPath } from './streams.ts'

/** How somebody comes back who followed a topic before. */

export interface Back {
  readonly since?: string
  readonly etag?: string
  readonly facts?: boolean
}

export const doors = ['socket', 'stream'] as const
export type Door = (typeof doors)[number]

/** What answers a visitor who comes back, and whatever else comes at once; without what only one of the doors has. */
export async function comeBack(door: Door, api: Harness, topic: string, back: Back): Promise<Packet[]> {
  const packets = door === 'socket' ? await bySocket(api, topic, back) : await byStream(api, topic, back)
  return packets.map(({ id: _, since: __, ...packet }) => packet)
}

async function bySocket(api: Harness, topic: string, back: Back): Promise<Packet[]> {
  const socket = new WebSocket(`${api.app.socketAddress}/`, ['downbeat.v1'])
  const packets: Packet[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    const packet = JSON.parse(String(data))
    // Answers come in the order of what they answer.
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

/** A poll that does not wait; it knows no ETag. */
async function byStream(api: Harness, topic: string, { since, facts }: Back): Promise<Packet[]> {
  const query = { wait: '0', ...(since === undefined ? {} : { since }), ...(facts ? { facts: 'true' } : {}) }
  const reply = await api.get(eventsPath([topic], query))
  if (reply.status !== 200) throw new Error(`refused: ${reply.text}`)
  return reply.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
