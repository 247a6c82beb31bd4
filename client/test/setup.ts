import { afterEach, beforeEach, vi } from 'vitest'
import { type Change, type Client, connect, type Options, type Status } from '../connect.ts'
import { FakeServer, type Peer } from './server.ts'
import { FakeTime } from './time.ts'

/** A server and a clock for each test of a file, and clients that are closed after it. */
export interface World {
  server: FakeServer
  time: FakeTime
  statuses: Status[]
  client(options?: Partial<Options>): Client
  /** Waits, and returns the connection after the one that ended. */
  reconnected(): Promise<Peer>
}

export function setUp(): World {
  const clients: Client[] = []
  const world = {
    statuses: [],
    client(options = {}) {
      const { server, time, statuses } = world
      const onStatus = (status: Status) => statuses.push(status)
      const client = connect({ url: server.url, onStatus, ...options }, time.platform)
      clients.push(client)
      return client
    },
    async reconnected() {
      await until(() => world.statuses.at(-1)?.state === 'waiting')
      world.time.pass(world.statuses.at(-1)?.retryInMs ?? 0)
      return world.server.next()
    },
  } as unknown as World
  beforeEach(async () => {
    world.server = await FakeServer.start()
    world.time = new FakeTime()
    world.server.now = () => world.time.time
    world.statuses = []
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await world.server[Symbol.asyncDispose]()
  })
  return world
}

/** Resolves as soon as the condition holds. */
export function until(holds: () => boolean): Promise<unknown> {
  return vi.waitUntil(holds, { timeout: 60_000, interval: 2 })
}

/** A listener that records its calls. */
export function recorder<Value>() {
  const changes: Change<Value>[] = []
  return { changes, listener: (change: Change<Value>) => void changes.push(change) }
}

export const snapshot = (topic: string, position: string, body: unknown, more: object = {}) => ({
  type: 'snapshot',
  topic,
  position,
  etag: `"${position}"`,
  body,
  ...more,
})

export const event = (topic: string, after: string, position: string, patch: readonly object[], more: object = {}) => ({
  type: 'event',
  topic,
  after,
  position,
  etag: `"${position}"`,
  at: '2026-05-01T12:00:00.000Z',
  patch,
  ...more,
})

export const fact = (id: string) => ({
  id,
  type: 'match.started',
  subject: { kind: 'match', guid: 'm' },
  at: '2026-05-01T12:00:00.000Z',
  changed: ['status'],
})
