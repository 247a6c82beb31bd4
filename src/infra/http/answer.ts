import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Answer, type Cookie, type Operation, type QueryOperation, successStatus } from '../../core/operation.ts'
import type { Answers, Truth } from './answer-cache.ts'
import { Coded } from './compressed-answers.ts'
import { acceptedCoding, type Coding, codedTag } from './content-codings.ts'
import { etagOf, matches } from './etag.ts'
import type { RequestState } from './request.ts'
import { timed } from './timing.ts'

/** A finished answer: bytes that can be sent as they are. */
export interface Ready {
  readonly body: Buffer
  readonly etag: string
  /** Headers for callers without a token. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers for all other callers: no cache may store the answer. */
  readonly closedHeaders: Readonly<Record<string, string>>
  /** Length of the body in bytes, as text for the header. */
  readonly length: string
  /** The compressed forms; null for an answer that is never compressed. */
  readonly coded: Coded | null
  /** Name of the operation that made the answer. */
  readonly operation: string
}

/** A shorter body fits into one packet without compression. */
const minCodedBytes = 1024

/** The last step of a request's life: bytes, validators and caching rules. (D11) */

const shared = 'Authorization, Accept'

function isOpen(operation: Operation): operation is QueryOperation {
  return operation.kind === 'query' && (operation.scope === 'public' || operation.publicUnlessMe === true)
}

/** Any cache may store anonymous answers of public reads; no cache may store other answers. */
function cachingOf(operation: Operation, isBare: boolean, isCoded: boolean): Record<string, string> {
  const vary = isCoded ? `${shared}, Accept-Encoding` : shared
  if (!isOpen(operation) || !isBare) return { 'cache-control': 'private, no-store', vary }
  const { maxAge } = operation
  return {
    'cache-control': maxAge === undefined ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAge}`,
    vary,
  }
}

/**
 * Whether an answer may be compressed: an answer that is the same for everybody, or an anonymous one whose operation
 * declares `compressed`. (`Coded` has the reason)
 */
function mayBeCoded(operation: Operation, { isPublic, bare }: RequestState, contentType: string): boolean {
  if (!isOpen(operation) || !isText(contentType)) return false
  return isPublic || (operation.compressed === true && bare)
}

/** Whether a media type is text. Other types are compressed already. */
export function isText(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml)\b|[\w/.-]+\+(json|xml)\b)/.test(contentType)
}

/**
 * A finished result. It is made before a command's transaction commits: a result that cannot be rendered must roll the
 * transaction back.
 */
export interface Rendered {
  readonly answer: Answer
  /** null for an answer without a body, and for a stream. */
  readonly body: Buffer | null
  /** The body of an answer that is streamed until the reader leaves. */
  readonly stream?: Readable
}

/**
 * @param serialize turns a value into JSON by the schema of a status; members that the schema does not name are
 * dropped
 */
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
  const body = timed('serialise', () =>
    Buffer.from(answer.contentType === undefined ? serialize(answer.body, answer.status) : String(answer.body)),
  )
  return { answer, body }
}

export interface Output {
  readonly answers: Answers
  readonly secureCookies: boolean
}

export async function send(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, body, stream }: Rendered,
  output: Output,
  { tags, until }: Pick<Truth, 'tags' | 'until'>,
): Promise<FastifyReply> {
  for (const cookie of answer.cookies) setCookie(reply, cookie, output.secureCookies)
  reply.headers(answer.headers).code(answer.status)
  if (stream !== undefined) return sendStream(operation, request, reply, { answer, stream })
  if (body === null) return reply.headers({ 'cache-control': 'private, no-store' }).send()
  const { address, startingPoint, bare } = request.state
  const contentType = answer.contentType ?? 'application/json; charset=utf-8'
  const isCoded = mayBeCoded(operation, request.state, contentType)
  const headersFor = (isBare: boolean) => ({
    'content-type': contentType,
    ...cachingOf(operation, isBare, isCoded),
    ...answer.headers,
  })
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply.headers(headersFor(bare)).send(body)
  const isKept = address !== null && answer.status === 200
  const ready: Ready = {
    body,
    etag: answer.headers.etag ?? etagOf(body),
    headers: headersFor(true),
    closedHeaders: headersFor(false),
    length: String(body.length),
    operation: operation.name,
    coded: isCoded ? new Coded(isKept ? output.answers.coded : null) : null,
  }
  if (isKept) output.answers.keep(address, ready, { tags, until, startingPoint })
  await sendReady(request, reply, ready)
  return reply
}

/**
 * A HEAD request, and one of somebody who has the content already, gets only the headers: the stream is closed without
 * being read.
 */
function sendStream(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, stream }: { readonly answer: Answer; readonly stream: Readable },
): FastifyReply {
  const { etag } = answer.headers
  const caching = etag === undefined ? { 'cache-control': 'no-store' } : cachingOf(operation, request.state.bare, false)
  reply.headers({ 'content-type': answer.contentType ?? 'application/octet-stream', ...caching })
  const isKnown = etag !== undefined && matches(request.headers['if-none-match'], etag)
  if (request.method !== 'HEAD' && !isKnown) return reply.send(stream)
  stream.destroy()
  if (isKnown) reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return reply.send()
}

/** Sends a finished answer, compressed where the caller accepts it and the answer may be. */
export async function sendReady(request: FastifyRequest, reply: FastifyReply, ready: Ready): Promise<void> {
  reply.headers(request.state.bare ? ready.headers : ready.closedHeaders)
  if (reply.statusCode !== 200) return void reply.send(ready.body)
  const coding = codingOf(ready, request.headers['accept-encoding'])
  reply.header('etag', coding === null ? ready.etag : codedTag(ready.etag, coding))
  if (matches(request.headers['if-none-match'], ready.etag)) {
    return void reply.code(304).removeHeader('content-type').send()
  }
  if (coding === null || ready.coded === null) return void reply.send(ready.body)
  const { body } = await ready.coded.form(coding, ready)
  reply.header('content-encoding', coding).send(body)
}

/** The coding to send an answer in; null for the uncompressed bytes. */
export function codingOf({ coded, length }: Ready, accepted: string | string[] | undefined): Coding | null {
  if (coded === null || accepted === undefined) return null
  const { coding, refusesPlain } = acceptedCoding(accepted)
  return refusesPlain || Number(length) > minCodedBytes ? coding : null
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
