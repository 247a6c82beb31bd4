import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Dispatcher, request } from 'undici'
import { inject } from 'vitest'
import { type App, createApp, type Overrides } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Scope } from '../src/core/scopes.ts'
import { findUser, insertUser, updateUser } from '../src/features/people/users/store/users.ts'
import type { User } from '../src/features/people/users/types.ts'
import type { Tx } from '../src/infra/db/database.ts'
import { insertGrant } from '../src/oauth/store/grants.ts'
import { expectDescribed } from './described.ts'
import { checkEventLog } from './event-log.ts'
import type { MadeApplication } from './make.ts'

/**
 * The service for tests: over HTTP, with its own database that is copied from a migrated template. Records that tests
 * need beyond the API (a user, a token) are created by the service's own functions.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the test run's PostgreSQL server, and the name of the migrated database in it. */
    postgres: { host: string; port: number; user: string; template: string }
    /** A directory of signing keys, because creating one is slow. */
    keys: string
  }
}

export interface Harness extends AsyncDisposable {
  readonly app: App
  readonly url: string
  /** Calls the API; the path is relative to `/api`. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  get(path: string, as?: Caller | null, headers?: Record<string, string>): Promise<Reply>
  post(path: string, as: Caller | null, body?: unknown): Promise<Reply>
  put(path: string, as: Caller | null, body?: unknown): Promise<Reply>
  patch(path: string, as: Caller | null, body?: unknown): Promise<Reply>
  delete(path: string, as: Caller | null, body?: unknown): Promise<Reply>
  /** A user who has signed in, with a first-party token. */
  user(options?: UserOptions): Promise<Caller>
  /** Another token of the same user; with an application, one that the user has granted to it. */
  token(user: { readonly guid: string }, scopes: readonly Scope[], application?: MadeApplication): Promise<string>
  /** Runs SQL directly, to create states that no API call can (a date in the past) and to check stored data. */
  sql<T extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>
  /** Another service on the same database like a second process, with its own limits if given. */
  sibling(limits?: Overrides): Promise<Harness>
}

export interface CallOptions {
  readonly as?: Caller | null
  readonly token?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent unchanged, instead of `body` as JSON. */
  readonly raw?: string | Uint8Array
}

export interface UserOptions {
  readonly name?: string
  readonly chatPlatformId?: string
  readonly globalRoles?: readonly User['globalRoles'][number][]
  readonly scopes?: readonly Scope[]
}

export interface Caller {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly token: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail where it is not as expected.
  readonly body: any
}

/** The result of a call: the status, and the code of the problem if there is one. */
export function outcome({ status, headers }: Reply): [status: number, problem: string | null] {
  return [status, headers.get('problem-code')]
}

const discordEpoch = 1_420_070_400_000

/** The chat-platform id of an account created at `madeAt`: the upper bits are the time. */
export function chatIdMadeAt(madeAt: Date, sequence: number): string {
  return ((BigInt(madeAt.getTime() - discordEpoch) << 22n) | BigInt(sequence & 0x3fffff)).toString()
}

let sequence = 0

/**
 * @param overrides configuration of this service
 * @param limits limits that replace the usual ones
 * @param arrange called before the service listens
 */
export async function startHarness(
  overrides: Partial<Config> = {},
  limits: Overrides = {},
  arrange: (app: App) => void = () => {},
): Promise<Harness> {
  const { host, port, user, template } = inject('postgres')
  const database = `test_${process.pid}_${process.hrtime.bigint()}`
  await asAdmin((client) => client.query(`create database ${database} template ${template} strategy file_copy`))
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-test-'))
  await cp(inject('keys'), path.join(dataDir, 'keys'), { recursive: true })
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  const cleanUp = async () => {
    const checked = await checkEventLog({ host, port, user, database }).catch((fault: unknown) => ({ fault }))
    await asAdmin((client) => client.query(`drop database if exists ${database} with (force)`))
    await rm(dataDir, { recursive: true, force: true })
    if (checked !== undefined) throw checked.fault
  }
  return startOn({ databaseUrl, dataDir, ...overrides }, limits, { arrange, cleanUp })
}

async function asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const { host, port, user } = inject('postgres')
  const client = new pg.Client({ host, port, user, database: 'postgres' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** @param around `arrange` is called before the service listens, `cleanUp` when it has been closed */
export async function startOn(
  overrides: Partial<Config>,
  limits: Overrides = {},
  around: { readonly arrange?: (app: App) => void; readonly cleanUp?: () => Promise<void> } = {},
): Promise<Harness> {
  const port = await freePort()
  const usual = readConfig({
    PORT: String(port),
    SOCKET_PORT: String(await freePort()),
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    RATE_LIMITS: 'off',
  })
  // Media have the origin of the site.
  const media = { ...usual.media, url: overrides.publicUrl ?? usual.media.url }
  const config: Config = { ...usual, media, ...overrides }
  // Set to null at the end, because a worker keeps the modules of all its test files, and everything that they refer
  // to.
  let running: App | null = await createApp(config, { jobSlots: defaultJobSlots, ...limits })
  around.arrange?.(running)
  const url = await running.listen()
  function theApp(): App {
    if (running === null) throw new Error('this service has been closed')
    return running
  }

  async function call(method: string, callPath: string, options: CallOptions = {}): Promise<Reply> {
    const token = options.token ?? options.as?.token
    const headers: Record<string, string> = { ...options.headers }
    if (token != null) headers.authorization = `Bearer ${token}`
    if (options.body !== undefined) headers['content-type'] ??= 'application/json'
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const address = callPath.startsWith('//') ? callPath.slice(1) : `/api${callPath}`
    const reply = await ask(`${url}${address}`, method, headers, body)
    const [called = ''] = address.split('?')
    expectDescribed(method, called, reply.status, reply.headers.get('problem-code'))
    return reply
  }

  async function issue(tx: Tx, user: User, scopes: readonly Scope[], application?: MadeApplication): Promise<string> {
    const { tokens } = theApp().services
    const now = new Date()
    if (application === undefined) return tokens.issue(tx, user, { scopes, sessionGuid: null }, now)
    const grant = { guid: randomUUID(), clientId: application.clientId }
    await insertGrant(tx, { ...grant, userGuid: user.guid, scopes }, now)
    return tokens.issue(tx, user, { scopes, grant }, now)
  }

  return {
    get app() {
      return theApp()
    },
    url,
    call,
    get: (callPath, as = null, headers = {}) => call('GET', callPath, { as, headers }),
    post: (callPath, as, body) => call('POST', callPath, { as, body }),
    put: (callPath, as, body) => call('PUT', callPath, { as, body }),
    patch: (callPath, as, body) => call('PATCH', callPath, { as, body }),
    delete: (callPath, as, body) => call('DELETE', callPath, { as, body }),
    async user(options = {}) {
      const number = ++sequence
      const name = options.name ?? `player${number}`
      return theApp().database.transaction(async (tx) => {
        const { user } = await insertUser(tx, {
          chatPlatformId: options.chatPlatformId ?? chatIdMadeAt(new Date('2020-06-01T00:00:00Z'), number),
          username: name,
          preferredName: name,
          avatarUrl: `https://cdn.example.org/avatars/${number}.png`,
          email: null,
          emailVerifiedAt: null,
          isBot: false,
        })
        const roles = options.globalRoles
        const record =
          roles === undefined ? user : await updateUser(tx, user.guid, { globalRoles: [...roles] }, new Date())
        const bearer = await issue(tx, record, options.scopes ?? ['rest:write', 'ws:write'])
        return { guid: record.guid, chatPlatformId: record.chatPlatformId, username: record.username, token: bearer }
      })
    },
    async token(user, scopes, application) {
      return theApp().database.transaction(async (tx) => {
        const record = await findUser(tx, user.guid)
        if (record === undefined) throw new Error('no such user')
        return issue(tx, record, scopes, application)
      })
    },
    async sql<T extends object>(text: string, values: unknown[] = []) {
      const result = await theApp().database.pool.query<T>(text, values)
      return result.rows
    },
    sibling: (ownLimits = limits) => {
      const { databaseUrl, dataDir, publicUrl, media, chat } = config
      return startOn(
        { ...overrides, ...(databaseUrl === null ? {} : { databaseUrl }), dataDir, publicUrl, media, chat },
        ownLimits,
      )
    },
    async [Symbol.asyncDispose]() {
      await running?.close()
      running = null
      await around.cleanUp?.()
    },
  }
}

/** Uses the library below `fetch`, which needs a third of the time: a run sends some hundred thousand requests. */
async function ask(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: CallOptions['raw'],
): Promise<Reply> {
  const response = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const told = new Headers()
  for (const [name, values = []] of Object.entries(response.headers)) {
    for (const value of [values].flat()) told.append(name, value)
  }
  const text = await response.body.text()
  const isJson = /[/+]json\b/.test(told.get('content-type') ?? '')
  return { status: response.statusCode, headers: told, text, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** Each slot is a connection from the start, and few tests have jobs that wait for each other. */
const defaultJobSlots = 1

const lowestPort = 11_000
const highestPort = 31_999
let lastPort = lowestPort + Math.floor(Math.random() * (highestPort - lowestPort))

/**
 * A port that stays free until the service listens, because addresses must be known before. It is below the range that
 * the system uses for connections, of which a worker opens hundreds meanwhile; each worker starts at a random port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    lastPort = lastPort < highestPort ? lastPort + 1 : lowestPort
    const port = lastPort
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
