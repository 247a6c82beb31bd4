import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type RedisServer, redisMs, startRedis } from '../../../../test/realtime/redis.ts'
import { until } from '../../../../test/waiting.ts'
import type { Bus } from './bus.ts'
import { PostgresBus } from './bus-postgres.ts'
import { RedisBus } from './bus-redis.ts'

/** The behaviour that both kinds of bus share. (RT33) */

/** Resolves when the condition holds; a slow machine may take longer. */

interface Kind {
  readonly name: string
  /** null where the server is not available on this machine. */
  readonly start: () => Promise<Server | null>
}

interface Server extends AsyncDisposable {
  open(onError?: (error: Error) => void): Bus
  /** A bus without a server. */
  openNowhere(onError: (error: Error) => void): Bus
  cut(): Promise<void>
}

const kinds: readonly Kind[] = [
  { name: 'PostgreSQL', start: startPostgres },
  { name: 'Redis', start: async () => ofRedis(await startRedis()) },
]

async function startPostgres(): Promise<Server> {
  const { host, port, user } = inject('postgres')
  const admin = new pg.Client({ host, port, user, database: 'postgres' })
  await admin.connect()
  const database = `bus_${process.pid}_${Date.now()}`
  await admin.query(`create database ${database}`)
  const connection = { host, port, user, database }
  return {
    open: (onError = () => {}) => new PostgresBus({ connection, onError, retryMs: 50 }),
    openNowhere: (onError) =>
      new PostgresBus({ connection: { ...connection, database: 'nowhere' }, onError, retryMs: 20 }),
    async cut() {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    },
    async [Symbol.asyncDispose]() {
      await admin.query(`drop database ${database} with (force)`)
      await admin.end()
    },
  }
}

function ofRedis(server: RedisServer | null): Server | null {
  if (server === null) return null
  const { url } = server
  return {
    open: (onError = () => {}) => new RedisBus({ url, onError, retryMs: 50 }),
    openNowhere: (onError) => new RedisBus({ url: 'redis://127.0.0.1:1', onError, retryMs: 20 }),
    cut: () => server.cut(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe.each(kinds)('$name', ({ start }) => {
  let server: Server | null
  beforeAll(async () => {
    server = await start()
  }, redisMs)
  afterAll(async () => server?.[Symbol.asyncDispose]())

  function on(name: string, work: (server: Server) => Promise<void>): void {
    test(name, async ({ skip }) => {
      if (server === null) return skip()
      await work(server)
    })
  }

  /** A subscriber, with the messages that it received. */
  function follow(bus: Bus, topic: string): { readonly came: unknown[]; readonly end: () => void } {
    const came: unknown[] = []
    return { came, end: bus.subscribe(topic, (message) => came.push(message)) }
  }

  on('what is published reaches all who subscribe, here too, in its order', async ({ open }) => {
    const [one, other] = [open(), open()]
    const topic = `/${randomUUID()}`
    const [here, there] = [follow(one, topic), follow(other, topic)]
    const elsewhere = follow(other, `/${randomUUID()}`)
    // Messages are not guaranteed before the other process listens.
    await until(() => {
      one.publish(topic, 'ready')
      return there.came.length > 0
    })
    const messages = Array.from({ length: 500 }, (_, number) => ({ number, text: '“ü\n"🎵' }))
    for (const message of messages) one.publish(topic, message)
    for (const { came } of [here, there]) {
      const told = () => came.filter((message) => message !== 'ready')
      await until(() => told().length === messages.length)
      expect(told()).toEqual(messages)
    }
    expect(elsewhere.came).toEqual([])
    await Promise.all([one.close(), other.close()])
  })

  on('what is published behind a subscription comes back', async ({ open }) => {
    const bus = open()
    const topics = Array.from({ length: 40 }, () => `/${randomUUID()}`)
    const followed = topics.map((topic) => {
      const following = follow(bus, topic)
      bus.publish(topic, topic)
      return following
    })
    await until(() => followed.every(({ came }) => came.length > 0))
    expect(followed.map(({ came }) => came)).toEqual(topics.map((topic) => [topic]))
    await bus.close()
  })

  on('messages of any length that there may be, many at once', async ({ open }) => {
    const bus = open()
    const topic = `/${randomUUID()}`
    const { came } = follow(bus, topic)
    const messages = [1, 2_000, 3_900, 4_100, 7_000, 10].map((length) => 'x'.repeat(length))
    for (const message of messages) bus.publish(topic, message)
    await until(() => came.length === messages.length)
    expect(came).toEqual(messages)
    await bus.close()
  })

  on('nothing comes after the end', async ({ open }) => {
    const bus = open()
    const topic = `/${randomUUID()}`
    const [left, stays] = [follow(bus, topic), follow(bus, topic)]
    bus.publish(topic, 1)
    await until(() => stays.came.length === 1)
    left.end()
    left.end()
    bus.publish(topic, 2)
    await until(() => stays.came.length === 2)
    stays.end()
    const again = follow(bus, topic)
    bus.publish(topic, 3)
    await until(() => again.came.length === 1)
    expect([left.came, stays.came, again.came]).toEqual([[1], [1, 2], [3]])
    await bus.close()
  })

  on('a connection that is lost is made again, and that is told', async ({ open, cut }) => {
    const errors: Error[] = []
    const bus = open((error) => errors.push(error))
    const topic = `/${randomUUID()}`
    const { came } = follow(bus, topic)
    let lost = 0
    bus.onLost(() => lost++)
    bus.publish(topic, 'before')
    await until(() => came.length === 1)
    expect(lost).toBe(0)
    await cut()
    await until(() => lost > 0)
    bus.publish(topic, 'after')
    await until(() => came.includes('after'))
    await bus.close()
  })

  on('without a server nothing fails, and nothing is kept for later', async ({ openNowhere }) => {
    const errors: Error[] = []
    const bus = openNowhere((error) => errors.push(error))
    const { came, end } = follow(bus, '/nowhere')
    for (let count = 0; count < 100; count++) bus.publish('/nowhere', count)
    await until(() => errors.length > 2)
    bus.publish('/nowhere', 'late')
    end()
    await bus.close()
    const { length } = errors
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([came, errors.length]).toEqual([[], length])
  })
})

test('a message that is longer than the database takes is dropped, and told', async () => {
  const { host, port, user } = inject('postgres')
  const errors: Error[] = []
  const bus = new PostgresBus({
    connection: { host, port, user, database: 'postgres' },
    onError: (error) => errors.push(error),
  })
  const topic = `/${randomUUID()}`
  const came: unknown[] = []
  bus.subscribe(topic, (message) => came.push(message))
  bus.publish(topic, 'x'.repeat(8_000))
  bus.publish(topic, 'short')
  await until(() => came.length > 0)
  expect([came, errors.map(({ message }) => message)]).toEqual([['short'], ['a message is too long for the bus']])
  await bus.close()
})

test('a process listens only while somebody subscribes', async () => {
  const { host, port, user } = inject('postgres')
  const connection = { host, port, user, database: 'postgres' }
  const bus = new PostgresBus({ connection, onError: () => {} })
  const other = new pg.Client(connection)
  await other.connect()
  const topic = `/${randomUUID()}`
  const come: unknown[] = []
  const end = bus.subscribe(topic, (message) => come.push(message))
  bus.publish(topic, 1)
  await until(() => come.length === 1)
  const lastStatement = async () => {
    const { rows } = await other.query(
      "select query from pg_stat_activity where application_name = 'downbeat bus' and datname = 'postgres'",
    )
    return rows.map(({ query }) => query)
  }
  end()
  await until(async () => (await lastStatement()).some((query) => query.startsWith('unlisten ephemeral_')))
  await Promise.all([bus.close(), other.end()])
})

test('what is no message is told without showing it', async () => {
  const { host, port, user } = inject('postgres')
  const connection = { host, port, user, database: 'postgres' }
  const errors: Error[] = []
  const bus = new PostgresBus({ connection, onError: (error) => errors.push(error) })
  const other = new pg.Client(connection)
  await other.connect()
  const come: unknown[] = []
  bus.subscribe('/one', (message) => come.push(message))
  bus.publish('/one', 1)
  await until(() => come.length === 1)
  for (let channel = 0; channel < 32; channel++) await other.query(`notify ephemeral_${channel}, 'secret'`)
  bus.publish('/one', 2)
  await until(() => come.length === 2)
  expect(errors.map(({ message }) => message)).toEqual(['a message of the bus is not JSON'])
  await Promise.all([bus.close(), other.end()])
})
