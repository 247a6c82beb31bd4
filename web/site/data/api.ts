import { connection } from './connection.ts'
import type { Reads, Writes } from './generated.ts'

/** Requests to the API. An address is a path below `/api` with its query; it is the key of what is cached. (W7) */

export type Path = keyof Reads & string

export type WritePath = keyof Writes & string

export type Params<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name | keyof Params<Rest>]: string | number }
  : Record<never, never>

type Query<Template extends Path> = Partial<Reads[Template]['query']>

/** An address whose answer is known by its type. */
export type Address<Body> = string & { readonly __body?: Body }

/** The address of a read, with its parameters and its query; members that are undefined are left out. */
export function address<Template extends Path>(
  template: Template,
  params: Params<Template>,
  query: Query<Template> = {},
): Address<Reads[Template]['body']> {
  return filled(template, params, query)
}

function filled(template: string, params: Values, query: Values): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return path
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`).join('&')}`
}

type Values = Readonly<Record<string, unknown>>

/** A refusal, in the words of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** Seconds until the request may be repeated. */
  readonly retryAfter: number | null
  /** The members of the refusal besides its message. */
  readonly data: Values

  constructor(status: number, { message, ...data }: Values & { readonly message: string }, headers: Headers) {
    super(message)
    this.status = status
    this.data = data
    this.code = headers.get('problem-code') ?? ''
    this.requestId = headers.get('request-id')
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : null
  }
}

/** No answer: the network or the service is away. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** The browser has signed out, or signed in somebody else than a request is of. */
export class OtherReader extends Error {
  override readonly name = 'OtherReader'
}

/** The token of the signed-in reader, in memory alone; null for everybody else. (W1) */
let token: string | null = null
let renewing: Promise<string | null> | undefined

/**
 * The user that the browser has signed in, so that strangers ask for no token, and no user sees what it keeps for another. Holds
 * nothing secret. The reader is not known yet while it is empty.
 */
export const signedInKey = 'downbeat.signed-in'

/** The GUID of the reader, also without a connection. */
export const signedInAs = (): string | null => localStorage.getItem(signedInKey)

/** @param isEnded whether the service no longer knows the session, and the reader did not sign out */
export function forget(isEnded = false): void {
  const wasOpen = token !== null || hasEnded
  token = null
  localStorage.removeItem(signedInKey)
  tellEnd(isEnded && wasOpen)
}

/** Whether the sign-in has ended while the page was open. It is over when the reader signs in again, in another tab too. */
let hasEnded = false
const endWatchers = new Set<() => void>()

function tellEnd(next: boolean): void {
  if (next === hasEnded) return
  hasEnded = next
  for (const tell of endWatchers) tell()
}

export const signInEnd = {
  subscribe(watcher: () => void) {
    endWatchers.add(watcher)
    return () => endWatchers.delete(watcher)
  },
  get: () => hasEnded,
}

/** A new token by the session of the browser; null without one. */
export async function renewToken(): Promise<string | null> {
  renewing ??= requestToken().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function requestToken(): Promise<string | null> {
  const { reply, body } = await ask('/api/auth/token', { method: 'POST' }, jsonOf)
  if (!reply.ok) {
    if (reply.status === 401) forget(true)
    return null
  }
  tellEnd(false)
  token = (body as { readonly access_token: string }).access_token
  localStorage.setItem(signedInKey, signedInAs() ?? '')
  return token
}

/** The token at the start of a page; strangers cost no request. */
export async function startToken(): Promise<string | null> {
  return signedInAs() === null ? null : renewToken()
}

interface Answer<Body> {
  readonly reply: Response
  readonly body: Body
}

const textOf = (reply: Response) => reply.text()

/** @throws where it was cut, or is not of the service, which sends nothing but whole JSON */
async function jsonOf(reply: Response): Promise<unknown> {
  const text = await reply.text()
  return text === '' || !reply.ok ? undefined : JSON.parse(text)
}

/**
 * @param bodyOf reads the body
 * @throws Unreachable also for what a proxy says in place of the service, whose answers have an id, and for an answer
 * that was cut
 */
async function ask<Body>(
  path: string,
  init: RequestInit,
  bodyOf: (reply: Response) => Promise<Body>,
): Promise<Answer<Body>> {
  const lost = (error: Error): never => {
    if (error.name === 'AbortError') throw error
    return lose()
  }
  const reply = await fetch(path, init).catch(lost)
  const { status, headers } = reply
  if (status >= 502 && status <= 504 && !headers.has('request-id')) lose()
  const body = await bodyOf(reply).catch(lost)
  connection.heard()
  return { reply, body }
}

function lose(): never {
  connection.lose()
  throw new Unreachable()
}

/** The GUID of the user that the token is of. */
function subjectOf(bearer: string | null): string | null {
  const [, claims = ''] = bearer?.split('.') ?? []
  if (claims === '') return null
  return (JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly sub: string }).sub
}

/** What has a place of its own by a standard is not below `/api`. (RFC 8615) */
const placeOf = (path: string) => (path.startsWith('/.well-known/') ? path : `/api${path}`)

/** @throws ApiError for a refusal, Unreachable without an answer, OtherReader */
async function send<Body>(
  path: string,
  init: RequestInit,
  bodyOf: (reply: Response) => Promise<Body>,
  user?: string,
): Promise<Body> {
  const attempt = () => {
    // Another tab may have signed in somebody else, whose token the last renewal has brought.
    if (user !== undefined && subjectOf(token) !== user) throw new OtherReader()
    const headers = {
      accept: 'application/json',
      ...(init.headers as object),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    return ask(placeOf(path), { ...init, headers }, async (reply) => {
      if (reply.ok) return { isOk: true, body: await bodyOf(reply) } as const
      return { isOk: false, refusal: refusalOf(await reply.text()) } as const
    })
  }
  if (user !== undefined && subjectOf(token) !== user) await renewToken()
  let { reply, body: said } = await attempt()
  if (reply.status === 401 && signedInAs() !== null && (await renewToken()) !== null)
    ({ reply, body: said } = await attempt())
  if (!said.isOk) throw new ApiError(reply.status, said.refusal, reply.headers)
  return said.body
}

/** A refusal, which comes as JSON; a proxy in front of the service may answer with anything. */
function refusalOf(text: string): Values & { readonly message: string } {
  try {
    const { error, message, ...data } = JSON.parse(text) as Values
    return { ...data, message: String(error ?? message ?? '') }
  } catch {
    return { message: '' }
  }
}

/** An answer that is no JSON, such as a table. @throws as `request` */
export async function requestText(path: string, init: RequestInit = {}, user?: string): Promise<string> {
  return send(path, init, textOf, user)
}

/** @throws OtherReader where `user` is given, and the browser has not signed in that user */
export async function request<Body>(path: string, init: RequestInit = {}, user?: string): Promise<Body> {
  return (await send(path, init, jsonOf, user)) as Body
}

/** A file, which comes with the reader's token, so no plain link can lead to it. @throws as `request` */
export async function requestFile(path: string): Promise<Blob> {
  return send(path, { headers: { accept: '*/*' } }, (reply) => reply.blob())
}

/** What a write takes besides its path. */
export interface Sent<At extends WritePath> {
  readonly params: Params<At>
  readonly query?: Partial<Writes[At]['query']>
  readonly body?: Writes[At]['body'] | FormData | Blob
}

/**
 * @param key makes a repetition of the same request, after an answer that was lost, count once (RT25)
 * @param as the only user that it may be sent as, and for how long an answer is waited for
 */
export async function write<At extends WritePath>(
  at: At,
  { params, query = {}, body }: Sent<At>,
  key: string,
  as: { readonly user?: string; readonly signal?: AbortSignal } = {},
): Promise<Writes[At]['reply']> {
  const [method = '', template = ''] = at.split(' ')
  const isRaw = body instanceof FormData || body instanceof Blob
  const init = {
    method,
    headers: { 'idempotency-key': key, ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    ...(as.signal && { signal: as.signal }),
  }
  return request(filled(template, params as Values, query), init, as.user)
}

/** Sends a form with a file, and tells which share of it has been sent. */
export async function sendFile<Body>(
  path: string,
  query: object,
  body: FormData,
  onShare: (share: number) => void,
): Promise<Body> {
  const key = crypto.randomUUID()
  const attempt = () =>
    new Promise<XMLHttpRequest>((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('POST', `/api${filled(path, {}, query as Values)}`)
      request.setRequestHeader('accept', 'application/json')
      request.setRequestHeader('idempotency-key', key)
      if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
      request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total)
      request.onload = () => resolve(request)
      request.onerror = () => reject(new Unreachable())
      request.send(body)
    })
  let reply = await attempt()
  if (reply.status === 401 && signedInAs() !== null && (await renewToken()) !== null) reply = await attempt()
  if (reply.status >= 400) {
    const headers = new Headers()
    for (const name of ['problem-code', 'request-id', 'retry-after']) {
      const value = reply.getResponseHeader(name)
      if (value !== null) headers.set(name, value)
    }
    throw new ApiError(reply.status, refusalOf(reply.responseText), headers)
  }
  try {
    return JSON.parse(reply.responseText) as Body
  } catch {
    throw new Unreachable()
  }
}
