import { type Client, connect, type LiveTopic, type RealtimeError } from '../../client/connect.ts'
import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { PlayerScore } from '../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../src/engine/scenes/tree.ts'
import type { Key } from './model/options.ts'
import type { Listener, Source } from './source.ts'

/** What the service tells of an overlay, by its real-time API. (OV16) */

export interface ServiceParts {
  readonly key: Extract<Key, { kind: 'token' | 'overlay' }>
  readonly isDelayed: boolean
  /** Of the socket. */
  readonly url: string
  readonly apiUrl: string
}

/** `GET /overlays/{overlay}`: which one it is. */
interface Found {
  readonly guid: string
  readonly tournament: { readonly guid: string }
}

/** Milliseconds. */
const retries = [500, 1_000, 2_000, 5_000, 10_000, 30_000]

/** The token is not good any more, or was removed. (OV16) */
const revokedClose = 4103
/** Until what ended for another reason is asked for again. */
const againMs = 5_000
/** Sooner it is not asked for again, whatever happens. */
const leastMs = 1_000

/** Nobody may see it any more, as opposed to what cannot be told now. (OV16) */
function isRevoked({ code, status }: RealtimeError): boolean {
  return code === 'topic.gone' || code === 'topic.forbidden' || [401, 403, 404].includes(status)
}

export class ServiceSource implements Source {
  readonly #parts: ServiceParts
  readonly #ending = new AbortController()
  #client: Client | null = null

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  now(): number {
    return this.#client?.clock.now() ?? Date.now()
  }

  listen(listener: Listener): () => void {
    const end = () => {
      this.#ending.abort()
      this.#client?.close()
    }
    void this.#begin({
      ...listener,
      // Whatever comes after it is not told.
      ended: () => {
        if (this.#ending.signal.aborted) return
        end()
        listener.ended()
      },
    })
    return end
  }

  async #begin(listener: Listener): Promise<void> {
    const found = await this.#find()
    if (this.#ending.signal.aborted) return
    if (found === null) return listener.ended()
    this.#follow(`/tournaments/${found.tournament.guid}/overlays/${found.guid}`, listener)
  }

  /** @returns null where there is no such overlay for whoever asks */
  async #find(): Promise<Found | null> {
    const { key, apiUrl } = this.#parts
    const { signal } = this.#ending
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const reply = await fetch(`${apiUrl}/overlays/${key.kind === 'token' ? '@token' : key.guid}`, {
          headers: key.kind === 'token' ? { authorization: `Bearer ${key.token}` } : {},
          credentials: 'omit',
          cache: 'no-store',
          signal,
        })
        if (reply.ok) return (await reply.json()) as Found
        if ([401, 403, 404].includes(reply.status)) return null
      } catch {
        // No network, or no service: both come back.
      }
      const ms = retries[Math.min(attempt, retries.length - 1)]
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
    return null
  }

  #follow(path: string, listener: Listener): void {
    const { key, isDelayed, url, apiUrl } = this.#parts
    const client = connect({
      url,
      apiUrl,
      ...(key.kind === 'token' && { viewToken: key.token }),
      onStatus: ({ state, code }) => {
        listener.connected(state === 'live' || state === 'idle')
        if (code === revokedClose) return listener.ended()
        if (state !== 'live') return
        // Whoever comes, or comes back, with a token that was good and is no more is let in as nobody, to whom a public overlay is shown.
        if (key.kind === 'token') void this.#verify(listener)
      },
    })
    this.#client = client
    const options = isDelayed ? { delayed: true } : {}
    const published = new Following<{ readonly document: SceneDocument }>({
      topics: [client.topic(`${path}/published`)],
      tell: ({ document }) => listener.document(document),
      // Where nothing is published there is no such topic, as if nobody might see it: the others tell that.
      onError: () => {},
      signal: this.#ending.signal,
    })
    const both = (name: string) => [client.topic(`${path}/${name}`, options), client.topic(`${path}/${name}`)]
    new Following<ControlState>({
      topics: both('control'),
      tell: (control) => {
        listener.control(control)
        // What is published first is shown by that, too.
        published.retry()
      },
      onError: (error) => isRevoked(error) && listener.ended(),
      signal: this.#ending.signal,
    })
    new Following<DataTree>({
      topics: both('data'),
      tell: (data) => listener.data(data),
      onError: (error) => isRevoked(error) && listener.ended(),
      signal: this.#ending.signal,
    })
    // Scores may be kept from who sees all else.
    new Following<Readonly<Record<string, PlayerScore>>>({
      topics: [client.live(`${path}/live`, { ...options, rate: 10 })],
      tell: (values) => listener.live(values),
      onError: ({ code }) => code !== 'topic.gone' && listener.live({}),
      signal: this.#ending.signal,
    })
  }

  async #verify(listener: Listener): Promise<void> {
    if ((await this.#find()) === null && !this.#ending.signal.aborted) listener.ended()
  }
}

interface FollowingParts<Value> {
  /** The first of them that there is: what cannot be had delayed is told as it is. */
  readonly topics: readonly LiveTopic<unknown>[]
  readonly tell: (value: Value) => void
  readonly onError: (error: RealtimeError) => void
  readonly signal: AbortSignal
}

/** Follows for good: what is not there yet, since nothing is published, comes later. */
class Following<Value> {
  readonly #parts: FollowingParts<Value>
  #at = 0
  #begunAt = 0
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor(parts: FollowingParts<Value>) {
    this.#parts = parts
    parts.signal.addEventListener('abort', () => clearTimeout(this.#waiting), { once: true })
    this.#begin()
  }

  /** Now, where it would be later, and was not just tried. */
  retry(): void {
    if (this.#waiting === undefined || performance.now() - this.#begunAt < leastMs) return
    clearTimeout(this.#waiting)
    this.#begin()
  }

  #begin(): void {
    const { topics, tell, onError, signal } = this.#parts
    const topic = topics[this.#at]
    this.#waiting = undefined
    this.#begunAt = performance.now()
    if (topic === undefined || signal.aborted) return
    let isOver = false
    const stop = topic.subscribe(({ value, status, error }) => {
      if (value !== undefined) tell(value as Value)
      if (status !== 'ended' || error === undefined || signal.aborted || isOver) return
      isOver = true
      const isNotDelayed = error.code === 'topic.not_delayed' && this.#at < topics.length - 1
      if (isNotDelayed) this.#at++
      else onError(error)
      if (signal.aborted) return
      // Within what it tells nothing is given up.
      queueMicrotask(() => stop())
      this.#waiting = setTimeout(() => this.#begin(), isNotDelayed ? 0 : againMs)
    })
  }
}
