import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** A client of the public API, which does nothing that another program could not do. */

export interface Call {
  readonly token?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** The parts of a form with a file. */
  readonly upload?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  /** The method and path of the call, for messages. */
  readonly call: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed response, or undefined when it is not JSON. */
  readonly json: unknown
}

export interface Client {
  /** The address of the service, without a slash at the end and without `/api`. */
  readonly url: string
  /**
   * Resolves with any status. A call that is rate limited is repeated after the wait, because nothing was done.
   * @param path relative to `/api`
   */
  call(method: string, path: string, call?: Call): Promise<Answer>
}

const patienceMs = 30_000
const maxAttempts = 10

/** @param onWait called once for each wait that the service demands */
export function createClient(url: string, onWait: (seconds: number) => void): Client {
  // The rate limit covers all calls of this machine, so all of them wait.
  let resumeAt = 0

  async function call(method: string, path: string, asked: Call = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      while (resumeAt > Date.now()) await sleep(resumeAt - Date.now())
      const answer = await send(url, method, path, asked)
      if (answer.status !== 429 || attempt === maxAttempts) return answer
      const seconds = Math.max(1, Number(answer.headers.get('retry-after')) || 1)
      if (resumeAt <= Date.now()) onWait(seconds)
      resumeAt = Math.max(resumeAt, Date.now() + seconds * 1_000)
    }
  }

  return { url, call }
}

async function send(url: string, method: string, path: string, asked: Call): Promise<Answer> {
  const { token, json, form, upload, headers } = asked
  const body = upload ?? (form === undefined ? JSON.stringify(json) : new URLSearchParams(form))
  const response = await fetch(`${url}/api${path}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  }).catch((cause: unknown) => {
    const isSlow = cause instanceof Error && cause.name === 'TimeoutError'
    const fault = isSlow
      ? `the service at ${url} did not answer ${method} /api${path} within ${patienceMs / 1_000} s`
      : `no service answers at ${url}; start it with npm start, or name another with --url`
    throw new Error(fault, { cause })
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    call: `${method} /api${path}`,
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** The body of a response, which must have this status and shape; it may have further members. */
export function bodyOf<S extends TSchema>(answer: Answer, status: number, schema: S): Static<S> {
  const { call, json, text } = answer
  if (answer.status !== status) throw new Error(`${call} answered ${answer.status} instead of ${status}: ${text}`)
  if (!Compile(schema).Check(json)) throw new Error(`${call} answered in an unexpected form: ${text.slice(0, 500)}`)
  return json as Static<S>
}

/** Runs the work for all items, with a limit of concurrency; after a failure no further work begins. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit(atOnce)
  return limit.map(items, (item) =>
    work(item).catch((error: unknown) => {
      limit.clearQueue()
      throw error
    }),
  )
}
