import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Answer, type Cookie, type Operation, type QueryOperation, successStatus } from '../../core/operation.ts'
import type { Answers, Truth } from './answers.ts'
import { Coded } from './coded.ts'
import { acceptedCoding, type Coding, codedTag } from './codings.ts'
import { etagOf, matches } from './etag.ts'
import type { RequestState } from './request.ts'

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
  /** Its compressed forms; null for what is never compressed. */
  readonly coded: Coded | null
  /** The operation that made it. */
  readonly operation: string
}

/** What is shorter leaves in one packet either way. */
const leastCodedBytes = 1024

/** The last step of a request's life: bytes, validators and caching rules. (D11) */

const shared = 'Authorization, Accept'

function isOpen(operation: Operation): operation is QueryOperation {
  return operation.kind === 'query' && (operation.scope === 'public' || operation.publicUnlessMe === true)
}

/** Anonymous answers of public reads may be kept by anybody; all others by nobody. */
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
 * Whether an answer may be compressed: what is told to everybody alike, or what the record says holds no secret when a stranger
 * asks. (`Coded` has the reason)
 */
function mayBeCoded(operation: Operation, { isPublic, bare }: RequestState, contentType: string): boolean {
  if (!isOpen(operation) || !isText(contentType)) return false
  return isPublic || (operation.compressed === true && bare)
}

/** What is no text is compressed already. */
export function isText(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml)\b|[\w/.-]+\+(json|xml)\b)/.test(contentType)
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
  if (stream !== undefined) return sendStream(request, reply, answer, stream)
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

/** What it told a HEAD request would be told to nobody. */
function sendStream(request: FastifyRequest, reply: FastifyReply, answer: Answer, stream: Readable): FastifyReply {
  reply.headers({ 'content-type': answer.contentType ?? 'application/octet-stream', 'cache-control': 'no-store' })
  if (request.method !== 'HEAD') return reply.send(stream)
  stream.destroy()
  return reply.send()
}

/** In the coding that the caller takes, where it may be compressed. */
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

/** The coding that an answer leaves in; null for the bytes as they are. */
export function codingOf({ coded, length }: Ready, accepted: string | string[] | undefined): Coding | null {
  if (coded === null || accepted === undefined) return null
  const { coding, refusesPlain } = acceptedCoding(accepted)
  return refusesPlain || Number(length) > leastCodedBytes ? coding : null
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
