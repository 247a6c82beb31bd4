import type { Credential, Credentials } from './credentials.ts'
import { RealtimeError } from './errors.ts'
import type { Platform } from './platform.ts'
import type { Followed } from './topic.ts'

/** The token that is known, and one more; then none. */
const mostCredentials = 2

/** `GET /events`, as who the client is. (RT15) */
export class Endpoint {
  readonly #platform: Platform
  readonly #url: string
  readonly #credentials: Credentials

  constructor(platform: Platform, apiUrl: string, credentials: Credentials) {
    this.#platform = platform
    this.#url = `${apiUrl.replace(/\/+$/, '')}/events`
    this.#credentials = credentials
  }

  /** Opens a stream. A token that is refused is asked for anew, once; then the client goes on anonymously. (RT31) */
  async open(topics: Iterable<Followed>, since: string | undefined, signal: AbortSignal): Promise<Response> {
    const query = queryOf(topics)
    if (since !== undefined) query.set('since', since)
    for (let attempt = 1; ; attempt++) {
      const credential = attempt <= mostCredentials ? await this.#credentials.get() : null
      const response = await this.#ask(query, credential, 'text/event-stream', signal)
      if (response.status !== 401 || credential === null) return response
      await response.body?.cancel()
      this.#credentials.refuse()
    }
  }

  /** Why a topic cannot be followed, where that is so: of several topics in a stream, the answer does not tell which. */
  async refusalOf(topic: Followed, signal: AbortSignal): Promise<RealtimeError | undefined> {
    const query = queryOf([topic])
    query.set('wait', '0')
    const credential = await this.#credentials.get()
    const response = await this.#ask(query, credential, 'application/x-ndjson', signal)
    if (!response.ok) return errorOf(response)
    await response.body?.cancel()
    return undefined
  }

  #ask(query: URLSearchParams, credential: Credential | null, accept: string, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { accept }
    if (credential !== null) headers.authorization = headerOf(credential)
    // The interface answers all origins, but none that sends cookies.
    const init: RequestInit = { headers, signal, credentials: 'omit', cache: 'no-store' }
    return this.#platform.fetch(`${this.#url}?${query}`, init)
  }
}

/** Options hold for all topics of a stream; who did not ask for facts overlooks them. */
function queryOf(topics: Iterable<Followed>): URLSearchParams {
  const query = new URLSearchParams()
  const all = [...topics]
  for (const name of new Set(all.map(({ name }) => name))) query.append('topic', name)
  if (all.some(({ asked }) => asked.facts)) query.set('facts', 'true')
  if (all.some(({ asked }) => asked.delayed)) query.set('delayed', 'true')
  const rates = all.flatMap(({ asked }) => asked.rate ?? [])
  if (rates.length > 0) query.set('rate', String(Math.max(...rates)))
  return query
}

function headerOf(credential: Credential): string {
  const token = 'token' in credential ? credential.token : credential.viewToken
  return /^bearer /i.test(token) ? token : `Bearer ${token}`
}

export async function errorOf(response: Response): Promise<RealtimeError> {
  const { status, headers } = response
  const code = headers.get('problem-code') ?? `http.${status}`
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const message = (await response.text()).slice(0, 500)
  return new RealtimeError({ status, code, message, ...(seconds >= 0 && { retryAfterMs: seconds * 1_000 }) })
}
