import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** A client of the public API, and nothing that another program could not do. */

export interface Call {
  readonly token?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** Parts and a file. */
  readonly upload?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  /** What was asked, for messages. */
  readonly call: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The answer when it is JSON, else undefined. */
  readonly json: unknown
}

export interface Client {
  /** Of the service, without a slash at the end and without `/api`. */
  readonly url: string
  /**
   * Any status is an answer; one that says that there were too many requests is waited for and the call made again,
   * since nothing was done.
   * @param path relative to `/api`
   */
  call(method: string, path: string, call?: Call): Promise<Answer>
}

const patienceMs = 30_000
const mostAttempts = 10

/** @param onWait told once for each time in which the service wants to be left alone */
export function createClient(url: string, onWait: (seconds: number) => void): Client {
  // One budget is used up for all calls of this machine alike: all of them wait.
  let resumeAt = 0

  async function call(method: string, path: string, asked: Call = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      while (resumeAt > Date.now()) await sleep(resumeAt - Date.now())
      const answer = await send(url, method, path, asked)
      if (answer.status !== 429 || attempt === mostAttempts) return answer
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

/** The body of an answer that must have this status and shape; members that the schema does not name may be there. */
export function bodyOf<S extends TSchema>(answer: Answer, status: number, schema: S): Static<S> {
  const { call, json, text } = answer
  if (answer.status !== status) throw new Error(`${call} answered ${answer.status} instead of ${status}: ${text}`)
  if (!Compile(schema).Check(json)) throw new Error(`${call} answered in an unexpected form: ${text.slice(0, 500)}`)
  return json as Static<S>
}

/** Works on all items, on so many at a time; after a failure no further one is begun. */
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
