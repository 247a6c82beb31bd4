import type { Credential, Credentials } from './credentials.ts'
import { RealtimeError } from './errors.ts'
import type { Platform } from './platform.ts'
import type { Followed } from './topic.ts'

/** The current token and a new one; after that the client is anonymous. */
const maxCredentials = 2

/** `GET /events` with the client's credentials. */
export class Endpoint {
  readonly #platform: Platform
  readonly #url: string
  readonly #credentials: Credentials

  constructor(platform: Platform, apiUrl: string, credentials: Credentials) {
    this.#platform = platform
    this.#url = `${apiUrl.replace(/\/+$/, '')}/events`
    this.#credentials = credentials
  }

  /** Opens a stream. After a refused token a new one is requested once; then the client goes on anonymously. */
  async open(topics: Iterable<Followed>, since: string | undefined, signal: AbortSignal): Promise<Response> {
    const query = queryOf(topics)
    if (since !== undefined) query.set('since', since)
    for (let attempt = 1; ; attempt++) {
      const credential = attempt <= maxCredentials ? await this.#credentials.get() : null
      const response = await this.#ask(query, credential, 'text/event-stream', signal)
      if (response.status !== 401 || credential === null) return response
      await response.body?.cancel()
      this.#credentials.refuse()
    }
  }

  /**
   * Why a topic cannot be followed; undefined if it can. The refusal of a stream with several topics does not say which
   * one is refused.
   */
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
    // The interface allows all origins, but no cookies.
    const init: RequestInit = { headers, signal, credentials: 'omit', cache: 'no-store' }
    return this.#platform.fetch(`${this.#url}?${query}`, init)
  }
}

/** The query for the topics. Options apply to all topics of a stream; a topic without `facts` ignores them. */
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
