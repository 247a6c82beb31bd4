import { connect, type Socket } from 'node:net'

/**
 * A load generator that needs almost no processor time, because it shares two cores with the measured service: requests
 * are written unchanged, and only the status and length of a response are read.
 */

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly token?: string
  /** The `Accept-Encoding` header; none by default. */
  readonly accepts?: string
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: string
  /** Sent unchanged as `application/json`. */
  readonly json?: string
}

const head = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)

/** One keep-alive connection with one request at a time. */
class Connection {
  readonly #socket: Socket
  #received: Buffer = nothing
  #status = 0
  /** The missing bytes of the response, once its headers have been read. */
  #missing = 0
  #answered: ((status: number) => void) | null = null
  #failed: ((error: Error) => void) | null = null

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (data) => this.#read(data))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the connection was closed')))
  }

  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = null
    this.#socket.destroy()
  }

  #read(data: Buffer): void {
    if (this.#missing > 0) this.#missing -= data.length
    else {
      this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data])
      const end = this.#received.indexOf(head)
      if (end < 0) return
      const headers = this.#received.toString('latin1', 0, end)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0)
      this.#status = Number(headers.slice(9, 12))
      this.#missing = end + head.length + length - this.#received.length
      this.#received = nothing
    }
    if (this.#missing === 0) this.#answered?.(this.#status)
  }
}

function written({ method = 'GET', path, token, accepts, form, json }: Request): Buffer {
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  const coding = accepts === undefined ? '' : `accept-encoding: ${accepts}\r\n`
  const body = form ?? json ?? ''
  const media = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const type = body === '' ? '' : `content-type: ${media}\r\n`
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${authorization}${coding}${type}${length}\r\n${body}`,
  )
}

/**
 * Sends the requests of `next` over all connections until it returns undefined; returns the responses per second. Every
 * response must be a 200, because refusals are faster.
 */
export async function load(url: string, next: () => Request | undefined, connections: number): Promise<number> {
  const open = await openConnections(url, connections)
  let answered = 0
  const started = performance.now()
  await Promise.all(
    open.map(async (connection) => {
      for (let request = next(); request !== undefined; request = next()) {
        await send(connection, request)
        answered++
      }
    }),
  )
  const perSecond = answered / ((performance.now() - started) / 1000)
  for (const connection of open) connection.close()
  return perSecond
}

/** When a request was due and when its response had come, by `performance.now()`. */
export interface Answered {
  readonly dueAt: number
  readonly answeredAt: number
}

/**
 * Sends the requests at an even pace, as far as the connections keep up, and returns the times of the responses. Every
 * response must be a 200.
 */
export async function pace(
  url: string,
  requests: readonly Request[],
  perSecond: number,
  connections: number,
): Promise<Answered[]> {
  const open = await openConnections(url, connections)
  const answered: Answered[] = []
  const started = performance.now()
  await Promise.all(
    open.map(async (connection, first) => {
      for (let index = first; index < requests.length; index += connections) {
        const dueAt = started + (index * 1_000) / perSecond
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
        await send(connection, requests[index] as Request)
        answered[index] = { dueAt, answeredAt: performance.now() }
      }
    }),
  )
  for (const connection of open) connection.close()
  return answered
}

function openConnections(url: string, count: number): Promise<Connection[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
      return new Connection(socket)
    }),
  )
}

async function send(connection: Connection, request: Request): Promise<void> {
  const status = await connection.send(written(request))
  if (status !== 200) throw new Error(`${request.path} was answered ${status}`)
}

/** Returns the results of `make` for the given number of seconds. */
export function during<T>(seconds: number, make: (index: number) => T): () => T | undefined {
  let index = 0
  let until = 0
  return () => {
    if (until === 0) until = performance.now() + seconds * 1000
    return performance.now() < until ? make(index++) : undefined
  }
}

/** Returns the result of `make` for each item, once. */
export function over<T, R>(items: readonly T[], make: (item: T) => R): () => R | undefined {
  let index = 0
  return () => {
    const item = items[index++]
    return item === undefined ? undefined : make(item)
  }
}

/**
 * Runs the work of `next` with the given concurrency until it returns undefined; returns the pieces of work per second.
 */
export async function loop(next: () => (() => Promise<unknown>) | undefined, concurrency: number): Promise<number> {
  let done = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let work = next(); work !== undefined; work = next()) {
        await work()
        done++
      }
    }),
  )
  return done / ((performance.now() - started) / 1000)
}

export interface Measured {
  readonly ours: number
  readonly baseline: number
}

/**
 * Measures two things in turns, so that other work of the machine affects both, and returns the medians. The first turn
 * of each is a warm-up and does not count.
 */
export async function inTurns(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
  turns = 5,
): Promise<Measured> {
  const measured: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] }
  for (let turn = 0; turn <= turns; turn++) {
    const [theirs, mine] = [await baseline(), await ours()]
    if (turn === 0) continue
    measured.baseline.push(theirs)
    measured.ours.push(mine)
  }
  return { ours: median(measured.ours), baseline: median(measured.baseline) }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The value below which `part` of the values are. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
