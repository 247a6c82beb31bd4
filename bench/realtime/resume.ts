import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { backoff, platform } from '../../client/platform.ts'
import { median } from '../load.ts'
import { freePort } from '../process.ts'
import { below, type Row } from '../report.ts'
import type { Service } from '../service.ts'
import { makePlayer, makeTournaments } from '../world.ts'
import { loopback, openLight, openMany } from './sockets.ts'

const strangers = 9_500
const users = 500
const topics = 20
const rounds = 3
const maxSeconds = 10
const maxStatements = 1_000
const maxDelayMs = 200
const patienceMs = 60_000

/** A gateway in a process of its own is killed and started again, and all clients reconnect. */
export async function resume(service: Service): Promise<Row[]> {
  const { runtime } = service
  const organiser = await makePlayer(runtime)
  const tournaments = await makeTournaments(runtime, organiser.guid, topics)
  const players = await Promise.all(Array.from({ length: users }, () => makePlayer(runtime)))
  const log = await logOfGateway(service)
  const port = String(await freePort())
  const start = () => service.startBeside({ SERVE: 'gateway', DATABASE_URL: log.databaseUrl, SOCKET_PORT: port })
  let gateway = await start()
  const clients = await openMany(strangers + users, async (index) => {
    const token = index < strangers ? undefined : players[index - strangers]?.token
    const client = new Client(Number(port), index, `/tournaments/${tournaments[index % topics]}`, token)
    await client.come()
    return client
  })
  await until(() => clients.every(({ isLive }) => isLive), 'not all clients came to follow')
  const [seconds, statements, delays]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    await wait(2_000)
    await gateway.kill()
    const listening = listens(Number(port))
    const starting = start()
    const listeningAt = await listening
    const before = await log.size()
    gateway = await starting
    await gateway.loopDelayMs()
    await until(() => clients.every(({ isLive }) => isLive), 'not all clients came back')
    seconds.push((Math.max(...clients.map(({ liveAt }) => liveAt)) - listeningAt) / 1_000)
    delays.push(await gateway.loopDelayMs())
    statements.push(await log.countSince(before))
  }
  for (const client of clients) client.leave()
  await gateway.stop()
  const work = `a gateway that died with ${strangers + users} clients`
  const figures = `${strangers} strangers on ${topics} topics, ${users} users, the median of ${rounds} deaths`
  return [
    below(`${work}: all follow again after it listens`, '', median(seconds), maxSeconds, ' s', figures),
    below(`${work}: statements`, '', median(statements), maxStatements, '', figures),
    below(`${work}: loop delay, 99 of 100`, '', median(delays), maxDelayMs, ' ms', figures),
  ]
}

/** Reconnects when our client would. (RT32) */
class Client {
  readonly #port: number
  readonly #index: number
  readonly #topic: string
  readonly #token: string | undefined
  #close: () => void = () => {}
  #since: { since?: string; etag?: string } = {}
  #failures = 0
  #waited = 0
  #hasLeft = false
  isLive = false
  liveAt = 0

  constructor(port: number, index: number, topic: string, token: string | undefined) {
    this.#port = port
    this.#index = index
    this.#topic = topic
    this.#token = token
  }

  async come(): Promise<void> {
    try {
      const socket = await openLight({
        port: this.#port,
        from: loopback(this.#index),
        ...(this.#token === undefined ? {} : { token: this.#token }),
        onMessage: (text) => this.#take(text),
        onClose: () => this.#comeLater(),
      })
      this.#close = socket.close
      socket.send({ type: 'subscribe', topic: this.#topic, ...this.#since })
    } catch {
      this.#comeLater()
    }
  }

  leave(): void {
    this.#hasLeft = true
    this.#close()
  }

  #comeLater(): void {
    this.isLive = false
    if (this.#hasLeft) return
    const ms = backoff(platform, this.#failures++, this.#waited)
    this.#waited += ms
    setTimeout(() => void this.come(), ms)
  }

  #take(text: string): void {
    if (text.startsWith('{"type":"hello"')) return
    const { position, etag } = JSON.parse(text) as { position?: string; etag?: string }
    if (position === undefined || etag === undefined) throw new Error(text.slice(0, 200))
    this.#since = { since: position, etag }
    this.#failures = this.#waited = 0
    this.isLive = true
    this.liveAt = performance.now()
  }
}

/**
 * Creates a database role for the gateway alone, whose statements the embedded server logs, so that exactly these can
 * be counted.
 */
async function logOfGateway({ runtime: { database, connection } }: Service) {
  await database.pool.query('create role bench_gateway superuser login')
  await database.pool.query("alter role bench_gateway set log_statement = 'all'")
  const { rows } = await database.pool.query<{ data_directory: string }>('show data_directory')
  const file = path.join(rows[0]?.data_directory ?? '', '..', 'postgres.log')
  const read = () => readFile(file, 'utf8')
  return {
    databaseUrl: `postgresql://bench_gateway@localhost:${connection.port}/${connection.database}?host=${encodeURIComponent(connection.host ?? '')}`,
    size: async () => (await read()).length,
    countSince: async (from: number) =>
      ((await read()).slice(from).match(/ LOG: {2}(?:statement|execute)/g) ?? []).length,
  }
}

/** The time when a server listens there, by `performance.now()`. */
async function listens(port: number): Promise<number> {
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isThere) return performance.now()
    await wait(10)
  }
}

async function until(isSo: () => boolean, failure: string): Promise<void> {
  for (const since = performance.now(); !isSo(); await wait(50)) {
    if (performance.now() - since > patienceMs) throw new Error(failure)
  }
}
