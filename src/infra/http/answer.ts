import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Answer, type Cookie, type Operation, successStatus } from '../../core/operation.ts'
import type { Answers, Truth } from './answers.ts'
import { etagOf, matches } from './etag.ts'

/** A finished answer: bytes that can be sent as they are. */
export interface Ready {
  readonly body: Buffer
  readonly etag: string
  /** For whoever asks without a token. */
  readonly headers: Readonly<Record<string, string>>
  /** For all others: nobody else may keep the answer for them. */
  readonly closedHeaders: Readonly<Record<string, string>>
  /** Of the body in bytes, as the header says it. */
  readonly length: string
  /** The operation that made it. */
  readonly operation: string
}

/** The last step of a request's life: bytes, validators and caching rules. (D11) */

const shared = 'Authorization, Accept'

/** Anonymous answers of public reads may be kept by anybody; all others by nobody. */
function cachingOf(operation: Operation, isBare: boolean): Record<string, string> {
  const open = operation.kind === 'query' && (operation.scope === 'public' || operation.publicUnlessMe === true)
  if (!open || !isBare) return { 'cache-control': 'private, no-store', vary: shared }
  const { maxAge } = operation
  return {
    'cache-control': maxAge === undefined ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAge}`,
    vary: shared,
  }
}

/** A result as it will be sent. Made before a command's transaction commits: what cannot be told must not happen. */
export interface Rendered {
  readonly answer: Answer
  /** null for an answer without a body, and for one that goes on. */
  readonly body: Buffer | null
  /** The body of an answer that goes on for as long as somebody reads it. */
  readonly stream?: Readable
}

/** @param serialize turns a value into JSON by the schema of a status, dropping whatever that does not name */
export function render(
  operation: Operation,
  result: unknown,
  serialize: (value: unknown, status: number) => string,
): Rendered {
  const answer = result instanceof Answer ? result : new Answer(successStatus(operation), { body: result })
  if (!(answer.status in operation.reply)) throw new Error(`no answer with status ${answer.status} is declared`)
  if (answer.status === 204 || answer.body === undefined) return { answer, body: null }
  if (answer.body instanceof Readable) return { answer, body: null, stream: answer.body }
  if (Buffer.isBuffer(answer.body)) return { answer, body: answer.body }
  const text = answer.contentType === undefined ? serialize(answer.body, answer.status) : String(answer.body)
  return { answer, body: Buffer.from(text) }
}

export interface Output {
  readonly answers: Answers
  readonly secureCookies: boolean
}

export function send(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, body, stream }: Rendered,
  output: Output,
  { tags, until }: Pick<Truth, 'tags' | 'until'>,
): FastifyReply {
  for (const cookie of answer.cookies) setCookie(reply, cookie, output.secureCookies)
  reply.headers(answer.headers).code(answer.status)
  if (stream !== undefined) return sendStream(request, reply, answer, stream)
  if (body === null) return reply.headers({ 'cache-control': 'private, no-store' }).send()
  const headersFor = (isBare: boolean) => ({
    'content-type': answer.contentType ?? 'application/json; charset=utf-8',
    ...cachingOf(operation, isBare),
    ...answer.headers,
  })
  const { address, startingPoint, bare } = request.state
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply.headers(headersFor(bare)).send(body)
  const ready: Ready = {
    body,
    etag: answer.headers.etag ?? etagOf(body),
    headers: headersFor(true),
    closedHeaders: headersFor(false),
    length: String(body.length),
    operation: operation.name,
  }
  if (address !== null && answer.status === 200) output.answers.keep(address, ready, { tags, until, startingPoint })
  return sendReady(request, reply, ready)
}

/** What it told a HEAD request would be told to nobody. */
function sendStream(request: FastifyRequest, reply: FastifyReply, answer: Answer, stream: Readable): FastifyReply {
  reply.headers({ 'content-type': answer.contentType ?? 'application/octet-stream', 'cache-control': 'no-store' })
  if (request.method !== 'HEAD') return reply.send(stream)
  stream.destroy()
  return reply.send()
}

export function sendReady(request: FastifyRequest, reply: FastifyReply, ready: Ready): FastifyReply {
  reply.headers(request.state.bare ? ready.headers : ready.closedHeaders)
  if (reply.statusCode !== 200) return reply.send(ready.body)
  reply.header('etag', ready.etag)
  if (matches(request.headers['if-none-match'], ready.etag)) {
    return reply.code(304).removeHeader('content-type').send()
  }
  return reply.send(ready.body)
}

function setCookie(reply: FastifyReply, cookie: Cookie, secure: boolean): void {
  reply.setCookie(cookie.name, cookie.value ?? '', {
    path: cookie.path,
    maxAge: cookie.value === null ? 0 : cookie.maxAgeSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure,
  })
}
