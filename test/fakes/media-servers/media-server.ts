import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { ControlAddress, ServerKind, StreamProtocol } from '../../../src/infra/clients/media-servers/types.ts'
import { type FakeAnswer, type FakeServer, type Misbehaviour, type SeenRequest, startFakeServer } from '../server.ts'

/**
 * What the fakes of media servers have in common. Each asks the service through its hooks as the real one does, in its shapes and
 * in its order, keeps the connections that were let in, and has its control interface. What it does was read in its public
 * sources; where the service may be surprised, the file of the kind says by what.
 */
export interface FakeMediaServer extends AsyncDisposable {
  readonly kind: ServerKind
  /** What its owners write into its record. */
  readonly control: ControlAddress
  /** From then on it asks there. Its record exists only after its control address is known. */
  asks(hooks: HookAddress): void
  /** As an encoder that was given the fields for this key. Resolves when the encoder knows what has become of it. */
  publish(encoder: EncoderOptions): Promise<FakeStream>
  /** Whether somebody gets to watch what is live under the path, or would be. @param view the token of a test */
  read(path: string, view?: string): Promise<boolean>
  /** Paths of what is published at the moment, in the order of its beginning. */
  live(): readonly string[]
  /** Everything that it has asked and told so far, oldest first. */
  readonly asked: readonly AskedHook[]
  /** Of its control interface: everything that was asked, oldest first. */
  readonly requests: readonly SeenRequest[]
  /** Its control interface, until the function that is returned is called: late by that many milliseconds. */
  slow(ms: number): () => void
  /** Its control interface, until then: every connection breaks. The streams go on. */
  down(): () => void
  /** Some of its control interface, as `METHOD /path` says. */
  misbehave(matcher: RegExp, how: Misbehaviour): () => void
  /** While this is set, its reports of ends get lost on the way. MediaMTX has none to lose. */
  losesReports: boolean
  /** It dies: all connections break, nothing is told, and nobody listens any more. */
  close(): Promise<void>
}

export interface HookAddress {
  /** Of the service, without a slash at the end. */
  readonly baseUrl: string
  /** GUID of its record. */
  readonly server: string
  readonly secret: string
}

export interface EncoderOptions {
  readonly key: string
  /** Whose path the encoder was told, where the address has one. */
  readonly userGuid: string
  /** `rtmp` where it is not given. */
  readonly protocol?: StreamProtocol
  /** Of the encoder; `203.0.113.7` where it is not given. */
  readonly address?: string
}

export interface FakeStream {
  /** Whether the encoder is sending. */
  readonly allowed: boolean
  /** Where it is public; null where it was refused. */
  readonly path: string | null
  /** As the server calls the connection, where it has a name for it. */
  readonly clientId: string | null
  readonly isLive: boolean
  /** The encoder stops; resolves when the server has told of it, where it does. */
  end(): Promise<void>
}

export interface AskedHook {
  readonly body: string
  /** null where no answer came. */
  readonly status: number | null
  readonly answer: string
}

/** A connection that was let in. */
export interface Connection {
  readonly id: string
  readonly path: string
  readonly protocol: StreamProtocol
  isLive: boolean
  /** What the server tells when it ends, by whomever. */
  readonly tellsEnd: () => Promise<void>
}

/** What is particular to a kind. */
export interface FakeKind {
  readonly kind: ServerKind
  readonly credentials: Pick<ControlAddress, 'user' | 'password' | 'vhost' | 'app'>
  publish(server: Inner, encoder: Required<EncoderOptions>): Promise<Connection | null>
  read(server: Inner, path: string, view: string | undefined): Promise<boolean>
  control(server: Inner, request: SeenRequest): FakeAnswer
}

/** What kinds work with. */
export interface Inner {
  readonly connections: Connection[]
  /** Asks or tells. null where there was no answer at all. */
  ask(hook: Hook): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string } | null>
  /** As `ask`, for what may get lost. */
  report(hook: Hook): Promise<void>
  /** Ends a connection, whether by the encoder or by the server. */
  drop(connection: Connection): Promise<void>
  readonly secret: string
}

export interface Hook {
  readonly body: string
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the secret stands in the address. */
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
    // Nothing is done of what is asked, either.
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

/** Lets a connection in, in the place of whoever published there. */
export async function admit(server: Inner, connection: Connection): Promise<Connection> {
  for (const other of server.connections.filter(({ path }) => path === connection.path)) await server.drop(other)
  server.connections.push(connection)
  return connection
}

/** Guards of the real ones wait after a refusal, so that keys are not guessed quickly. */
export const pause = (ms: number) => wait(ms)
