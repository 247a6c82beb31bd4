import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { ControlAddress, ServerKind, StreamProtocol } from '../../../src/infra/clients/media-servers/types.ts'
import { type FakeAnswer, type FakeServer, type Misbehaviour, type SeenRequest, startFakeServer } from '../server.ts'

/**
 * The common part of the fake media servers. Each sends the hooks of the real server in its format and order, keeps the
 * accepted connections, and has the control interface. Its behaviour follows the public sources; the file of each kind
 * says what may be unexpected.
 */
export interface FakeMediaServer extends AsyncDisposable {
  readonly kind: ServerKind
  /** The control address for its record. */
  readonly control: ControlAddress
  /** Sends its hooks there from now on; its record can be created only after its control address is known. */
  asks(hooks: HookAddress): void
  /** Publishes like an encoder with the fields for this key. Resolves when the encoder knows the decision. */
  publish(encoder: EncoderOptions): Promise<FakeStream>
  /** Whether a viewer may watch the stream at the path. @param view the token of a test */
  read(path: string, view?: string): Promise<boolean>
  /** The published paths, the oldest first. */
  live(): readonly string[]
  /** All hooks so far, the oldest first. */
  readonly asked: readonly AskedHook[]
  /** All requests to its control interface, the oldest first. */
  readonly requests: readonly SeenRequest[]
  /** Delays its control interface by so many milliseconds until the returned function is called. */
  slow(ms: number): () => void
  /** Breaks all connections to its control interface until the returned function is called. The streams continue. */
  down(): () => void
  /** Misbehaves at requests of its control interface that match `METHOD /path`. */
  misbehave(matcher: RegExp, how: Misbehaviour): () => void
  /** While set, its reports of ends are lost. MediaMTX has no such reports. */
  losesReports: boolean
  /** Kills the server: all connections break without reports, and it no longer listens. */
  close(): Promise<void>
}

export interface HookAddress {
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string
  /** GUID of its record. */
  readonly server: string
  readonly secret: string
}

export interface EncoderOptions {
  readonly key: string
  /** The user in the encoder's path, where the address has one. */
  readonly userGuid: string
  /** `rtmp` by default. */
  readonly protocol?: StreamProtocol
  /** The address of the encoder; `203.0.113.7` by default. */
  readonly address?: string
}

export interface FakeStream {
  /** Whether the encoder is sending. */
  readonly allowed: boolean
  /** The public path; null when refused. */
  readonly path: string | null
  /** The server's id of the connection, where it has one. */
  readonly clientId: string | null
  readonly isLive: boolean
  /** Stops the encoder; resolves when the server has reported the end, if it reports ends. */
  end(): Promise<void>
}

export interface AskedHook {
  readonly body: string
  /** Null without a response. */
  readonly status: number | null
  readonly answer: string
}

/** An accepted connection. */
export interface Connection {
  readonly id: string
  readonly path: string
  readonly protocol: StreamProtocol
  isLive: boolean
  /** Sends the server's report of the end, for any reason. */
  readonly tellsEnd: () => Promise<void>
}

/** The parts that differ between kinds. */
export interface FakeKind {
  readonly kind: ServerKind
  readonly credentials: Pick<ControlAddress, 'user' | 'password' | 'vhost' | 'app'>
  publish(server: Inner, encoder: Required<EncoderOptions>): Promise<Connection | null>
  read(server: Inner, path: string, view: string | undefined): Promise<boolean>
  control(server: Inner, request: SeenRequest): FakeAnswer
}

/** The functions for the kinds. */
export interface Inner {
  readonly connections: Connection[]
  /** Sends a hook; null without any response. */
  ask(hook: Hook): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string } | null>
  /** Like `ask`, for a report that may be lost. */
  report(hook: Hook): Promise<void>
  /** Ends a connection, whether by the encoder or by the server. */
  drop(connection: Connection): Promise<void>
  readonly secret: string
}

export interface Hook {
  readonly body: string
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the address contains the secret. */
  readonly hasSecret: boolean
}

export async function startFakeMediaServer(fake: FakeKind): Promise<FakeMediaServer> {
  const asked: AskedHook[] = []
  let hooks: HookAddress | null = null
  let losesReports = false
  const inner: Inner = {
    connections: [],
    get secret() {
      return hooks?.secret ?? ''
    },
    async ask({ body, contentType, headers = {}, hasSecret }) {
      if (hooks === null) throw new Error('the fake does not know yet where to ask')
      const address = `${hooks.baseUrl}/api/streaming/hooks/${hooks.server}`
      const url = hasSecret ? `${address}?secret=${encodeURIComponent(hooks.secret)}` : address
      const answer = await request(url, {
        method: 'POST',
        body,
        headers: { 'content-type': contentType, ...headers },
      }).catch(() => null)
      const text = (await answer?.body.text()) ?? ''
      asked.push({ body, status: answer?.statusCode ?? null, answer: text })
      return answer && { status: answer.statusCode, headers: new Headers(toPairs(answer.headers)), text }
    },
    async report(hook) {
      if (!losesReports) await inner.ask(hook)
    },
    async drop(connection) {
      if (!connection.isLive) return
      connection.isLive = false
      inner.connections.splice(inner.connections.indexOf(connection), 1)
      await connection.tellsEnd()
    },
  }
  const server: FakeServer = await startFakeServer({
    answer: (seen) => (isAllowed(fake, seen) ? fake.control(inner, seen) : { status: 401, body: 'Unauthorized' }),
    limited: () => ({ status: 429 }),
  })
  const close = async () => {
    for (const connection of inner.connections.splice(0)) connection.isLive = false
    await server.close()
  }
  return {
    kind: fake.kind,
    control: { url: server.url, ...fake.credentials },
    asks(address) {
      hooks = address
    },
    async publish({ key, userGuid, protocol = 'rtmp', address = '203.0.113.7' }) {
      const connection = await fake.publish(inner, { key, userGuid, protocol, address })
      return {
        allowed: connection !== null,
        path: connection?.path ?? null,
        clientId: connection?.id ?? null,
        get isLive() {
          return connection?.isLive ?? false
        },
        async end() {
          if (connection !== null) await inner.drop(connection)
        },
      }
    },
    read: (path, view) => fake.read(inner, path, view),
    live: () => inner.connections.map(({ path }) => path),
    asked,
    requests: server.requests,
    slow: (slowMs) => server.misbehave(/^/, { slowMs }),
    // The request is not carried out either.
    down: () =>
      server.misbehave(/^/, async () => {
        throw new Error('the control interface is down')
      }),
    misbehave: server.misbehave,
    get losesReports() {
      return losesReports
    },
    set losesReports(value) {
      losesReports = value
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function isAllowed({ credentials: { user, password } }: FakeKind, { headers }: SeenRequest): boolean {
  const expected = user === null ? password : `${user}:${password ?? ''}`
  return headers.authorization === `Basic ${Buffer.from(expected ?? '').toString('base64')}`
}

function toPairs(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((one) => [name, one]),
  )
}

/** Accepts a connection, which replaces the current publisher of the path. */
export async function admit(server: Inner, connection: Connection): Promise<Connection> {
  const others = server.connections.filter(({ path }) => path === connection.path)
  // Added before the ends of the others are reported, because another publisher may come meanwhile.
  server.connections.push(connection)
  await Promise.all(others.map((other) => server.drop(other)))
  return connection
}

/** The real servers wait after a refusal, to slow down the guessing of keys. */
export const pause = (ms: number) => wait(ms)
