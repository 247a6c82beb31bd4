import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type App, createApp, type Overrides } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Scope } from '../src/core/scopes.ts'
import { findUser, insertUser, updateUser } from '../src/features/people/users/store/users.ts'
import type { User } from '../src/features/people/users/types.ts'
import { insertGrant } from '../src/oauth/store/grants.ts'
import { expectDescribed } from './described.ts'
import { checkEventLog } from './event-log.ts'
import type { MadeApplication } from './make.ts'

/**
 * The service as tests meet it: over HTTP, on a real database of its own that is copied from a migrated template.
 * What a test needs beyond the API (a user, a token) is made the way the service makes it.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test run's PostgreSQL listens, and the name of the migrated database in it. */
    postgres: { host: string; port: number; user: string; template: string }
    /** A directory of signing keys: making one takes long. */
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
  /** Another token of the same user; with an application, one that they have granted to it. */
  token(user: { readonly guid: string }, scopes: readonly Scope[], application?: MadeApplication): Promise<string>
  /** Direct SQL, for arranging what no API call can (a date in the past) and for checking what is stored. */
  sql<T extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>
  /** A second process's worth of service on the same database. */
  sibling(): Promise<Harness>
}

export interface CallOptions {
  readonly as?: Caller | null
  readonly token?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent as it is, instead of `body` as JSON. */
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

const discordEpoch = 1_420_070_400_000

/** A chat-platform ID of an account that was made at `madeAt`: the time stands in the upper bits. */
export function chatIdMadeAt(madeAt: Date, sequence: number): string {
  return ((BigInt(madeAt.getTime() - discordEpoch) << 22n) | BigInt(sequence & 0x3fffff)).toString()
}

let sequence = 0

/**
 * @param overrides configuration of this service instance
 * @param limits those that it has in place of the usual ones
 * @param arrange called before it listens
 */
export async function startHarness(
  overrides: Partial<Config> = {},
  limits: Overrides = {},
  arrange: (app: App) => void = () => {},
): Promise<Harness> {
  const { host, port, user, template } = inject('postgres')
  const database = `test_${process.pid}_${process.hrtime.bigint()}`
  await asAdmin((client) => client.query(`create database ${database} template ${template}`))
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-test-'))
  await cp(inject('keys'), path.join(dataDir, 'keys'), { recursive: true })
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  const harness = await startOn({ databaseUrl, dataDir, ...overrides }, limits, arrange)
  const close = async () => {
    await harness.app.close()
    const checked = await checkEventLog({ host, port, user, database }).catch((fault: unknown) => ({ fault }))
    await asAdmin((client) => client.query(`drop database if exists ${database} with (force)`))
    await rm(dataDir, { recursive: true, force: true })
    if (checked !== undefined) throw checked.fault
  }
  return { ...harness, [Symbol.asyncDispose]: close }
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

export async function startOn(
  overrides: Partial<Config>,
  limits: Overrides = {},
  arrange: (app: App) => void = () => {},
): Promise<Harness> {
  const port = await freePort()
  const config: Config = {
    ...readConfig({ PORT: String(port), LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent', RATE_LIMITS: 'off' }),
    ...overrides,
  }
  const app = await createApp(config, limits)
  arrange(app)
  const url = await app.listen()

  async function call(method: string, callPath: string, options: CallOptions = {}): Promise<Reply> {
    const token = options.token ?? options.as?.token
    const headers: Record<string, string> = { ...options.headers }
    if (token != null) headers.authorization = `Bearer ${token}`
    if (options.body !== undefined) headers['content-type'] ??= 'application/json'
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const address = callPath.startsWith('//') ? callPath.slice(1) : `/api${callPath}`
    const response = await fetch(`${url}${address}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as string }),
    })
    const text = await response.text()
    const [called = ''] = address.split('?')
    expectDescribed(method, called, response.status, response.headers.get('problem-code'))
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
  }

  async function token(
    user: { readonly guid: string },
    scopes: readonly Scope[],
    application?: MadeApplication,
  ): Promise<string> {
    return app.database.transaction(async (tx) => {
      const record = await findUser(tx, user.guid)
      if (record === undefined) throw new Error('no such user')
      const now = new Date()
      if (application === undefined) return app.services.tokens.issue(tx, record, { scopes, sessionGuid: null }, now)
      const grant = { guid: randomUUID(), clientId: application.clientId }
      await insertGrant(tx, { ...grant, userGuid: record.guid, scopes }, now)
      return app.services.tokens.issue(tx, record, { scopes, grant }, now)
    })
  }

  const harness: Harness = {
    app,
    url,
    call,
    token,
    get: (callPath, as = null, headers = {}) => call('GET', callPath, { as, headers }),
    post: (callPath, as, body) => call('POST', callPath, { as, body }),
    put: (callPath, as, body) => call('PUT', callPath, { as, body }),
    patch: (callPath, as, body) => call('PATCH', callPath, { as, body }),
    delete: (callPath, as, body) => call('DELETE', callPath, { as, body }),
    async user(options = {}) {
      const number = ++sequence
      const name = options.name ?? `player${number}`
      const record = await app.database.transaction(async (tx) => {
        const { user } = await insertUser(tx, {
          chatPlatformId: options.chatPlatformId ?? chatIdMadeAt(new Date('2020-06-01T00:00:00Z'), number),
          username: name,
          preferredName: name,
          avatarUrl: `https://cdn.example.org/avatars/${number}.png`,
          email: null,
          emailVerifiedAt: null,
          isBot: false,
        })
        if (options.globalRoles === undefined) return user
        return updateUser(tx, user.guid, { globalRoles: [...options.globalRoles] }, new Date())
      })
      const bearer = await token(record, options.scopes ?? ['rest:write', 'ws:write'])
      return { guid: record.guid, chatPlatformId: record.chatPlatformId, username: record.username, token: bearer }
    },
    async sql<T extends object>(text: string, values: unknown[] = []) {
      const result = await app.database.pool.query<T>(text, values)
      return result.rows
    },
    sibling: () =>
      startOn(
        {
          ...overrides,
          ...(config.databaseUrl === null ? {} : { databaseUrl: config.databaseUrl }),
          dataDir: config.dataDir,
          publicUrl: config.publicUrl,
          chat: config.chat,
        },
        limits,
      ),
    [Symbol.asyncDispose]: () => app.close(),
  }
  return harness
}

/** A port that was free a moment ago; addresses must be known before the service starts. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
