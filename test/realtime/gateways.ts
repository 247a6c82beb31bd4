import { connect } from 'node:net'
import { freePort, type Harness } from '../harness.ts'
import { type Service, startService } from '../kernel/service.ts'
import { openWay, openWayToDatabase, type Way } from '../way.ts'
import type { RedisServer } from './redis.ts'

/** Processes that only hold sockets, each with its own connections to the shared services. */
export interface Gateway {
  readonly address: string
  readonly database: Way
  /** To the bus for ephemeral values: Redis, or the database without Redis. */
  readonly bus: Way
  /** The status of `/readyz`; 0 without an answer. */
  ready(): Promise<number>
  /** Kills it immediately. */
  kill(): Promise<void>
  start(): Promise<void>
}

export interface Gateways extends AsyncDisposable {
  readonly all: readonly [Gateway, Gateway, Gateway]
}

export async function startGateways(api: Harness, redis: RedisServer | null): Promise<Gateways> {
  await using opened = new AsyncDisposableStack()
  const open = () => openGateway(api, redis, opened)
  const all = await Promise.all([open(), open(), open()])
  const held = opened.move()
  return { all, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

async function openGateway(api: Harness, redis: RedisServer | null, opened: AsyncDisposableStack): Promise<Gateway> {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const database = await openWayToDatabase(new URL(databaseUrl ?? '').pathname.slice(1))
  opened.defer(() => database.close())
  const bus = redis === null ? database : await openWay(() => connect(Number(new URL(redis.url).port), '127.0.0.1'))
  opened.defer(() => bus.close())
  const port = await freePort()
  const env = {
    SERVE: 'gateway',
    SOCKET_PORT: String(port),
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    ...(redis === null ? {} : { REDIS_URL: `redis://127.0.0.1:${bus.port}` }),
  }
  let service: Service = await startService(env)
  opened.defer(() => service[Symbol.asyncDispose]())
  return {
    address: `ws://127.0.0.1:${port}`,
    database,
    bus,
    ready: () =>
      fetch(`${service.url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    async kill() {
      service.signal('SIGKILL')
      await service.exit
    },
    async start() {
      service = await startService(env)
    },
  }
}
