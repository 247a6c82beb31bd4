import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What all fakes of outside services share: a real HTTP server, on loopback alone, that can be told to misbehave. */

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A text body goes out as it is, anything else as JSON. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * - an answer, which is given instead of asking the service
 * - `reset`: half of the proper answer, then the connection is destroyed
 * - `malformed`: half of the proper body as if it were whole
 * - `slowMs`: the proper answer, late
 * - a function: what that answers, which may ask the service for the proper answer or take its time
 * - `limitedS`: 429 in the service's own form, telling how many seconds to wait, or with null nothing of it
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
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[]
  /**
   * Requests whose `METHOD /path` matches are answered so, until the function that is returned is called. Of several
   * that match, the newest counts.
   */
  misbehave(matcher: RegExp, how: Misbehaviour): () => void
  close(): Promise<void>
}

interface Service {
  answer(request: SeenRequest): FakeAnswer
  /** The service's own way of saying 429. */
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
  // What fails here fails for the client: it sees its connection end.
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
