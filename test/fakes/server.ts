import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The common part of the fakes of other services: a real HTTP server on loopback, which can misbehave. */

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A text body is sent unchanged, any other body as JSON. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * - an answer: returned instead of calling the service
 * - `reset`: half of the proper answer, then the connection is destroyed
 * - `malformed`: half of the proper body, as if it were complete
 * - `slowMs`: the proper answer, late
 * - a function: its result; it may call the service for the proper answer, or wait
 * - `limitedS`: 429 in the service's own format with the wait in seconds; null for no wait in it
 */
export type Misbehaviour =
  | FakeAnswer
  | 'reset'
  | 'malformed'
  | { readonly slowMs: number }
  | { readonly limitedS: number | null }
  | ((request: SeenRequest, proper: () => FakeAnswer) => Promise<FakeAnswer>)

export interface FakeServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string
  /** All requests so far, the oldest first. */
  readonly requests: readonly SeenRequest[]
  /**
   * Misbehaves at requests whose `METHOD /path` matches, until the returned function is called. Of several matching
   * rules the newest counts.
   */
  misbehave(matcher: RegExp, how: Misbehaviour): () => void
  close(): Promise<void>
}

interface Service {
  answer(request: SeenRequest): FakeAnswer
  /** The service's own format of a 429. */
  limited(waitS: number | null): FakeAnswer
}

interface Rule {
  readonly matcher: RegExp
  readonly how: Misbehaviour
}

export async function startFakeServer(service: Service): Promise<FakeServer> {
  const requests: SeenRequest[] = []
  const rules: Rule[] = []
  const closing = new AbortController()

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await read(incoming)
    requests.push(request)
    const rule = rules.findLast(({ matcher }) => matcher.test(`${request.method} ${request.path}`))
    await respond(service, request, rule?.how, outgoing, closing.signal)
  }
  // An error here ends the connection of the client.
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const close = async () => {
    closing.abort()
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    misbehave(matcher, how) {
      const rule = { matcher, how }
      rules.push(rule)
      return () => void rules.splice(rules.indexOf(rule), 1)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { method = '', headers } = incoming
  return { method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks).toString() }
}

async function respond(
  service: Service,
  request: SeenRequest,
  how: Misbehaviour | undefined,
  outgoing: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  if (typeof how === 'object' && 'status' in how) return send(how, outgoing)
  if (typeof how === 'object' && 'limitedS' in how) return send(service.limited(how.limitedS), outgoing)
  if (typeof how === 'function') return send(await how(request, () => service.answer(request)), outgoing)
  if (how === 'reset') return sendHalf(service.answer(request), outgoing)
  if (how === 'malformed') return send(halved(service.answer(request)), outgoing)
  if (how !== undefined) await wait(how.slowMs, undefined, { signal: closing })
  return send(service.answer(request), outgoing)
}

function send(answer: FakeAnswer, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.status, headersOf(answer)).end(textOf(answer))
}

function sendHalf(answer: FakeAnswer, outgoing: ServerResponse): void {
  const text = textOf(answer)
  outgoing.writeHead(answer.status, { ...headersOf(answer), 'content-length': Buffer.byteLength(text) })
  outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy())
}

function halved(answer: FakeAnswer): FakeAnswer {
  const text = textOf(answer)
  return { ...answer, headers: headersOf(answer), body: text.slice(0, text.length / 2) }
}

function textOf({ body }: FakeAnswer): string {
  return typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
}

function headersOf({ body, headers }: FakeAnswer): Record<string, string> {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return { 'content-type': type, ...headers }
}
