import { type Client, connect, type LiveTopic, type RealtimeError } from '../../client/connect.ts'
import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { PlayerScore } from '../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../src/engine/scenes/tree.ts'
import type { Key } from './model/options.ts'
import type { Listener, Source } from './source.ts'

/** The data of an overlay from the service, through its real-time API. (OV16) */

export interface ServiceParts {
  readonly key: Extract<Key, { kind: 'token' | 'overlay' }>
  readonly isDelayed: boolean
  /** The address of the socket. */
  readonly url: string
  readonly apiUrl: string
}

/** The response of `GET /overlays/{overlay}`. */
interface Found {
  readonly guid: string
  readonly tournament: { readonly guid: string }
}

/** The waits before further attempts, in milliseconds. */
const retries = [500, 1_000, 2_000, 5_000, 10_000, 30_000]

/** The close code for a token that is no longer valid. (OV16) */
const revokedClose = 4103
/** The wait before a topic that ended for another reason is subscribed to again, in milliseconds. */
const againMs = 5_000
/** The minimum time between two attempts, in milliseconds. */
const minMs = 1_000

/** Whether the viewer has lost access, as opposed to a temporary failure. (OV16) */
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
      // Nothing is reported after the end.
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

  /** @returns null when there is no such overlay for this key */
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
        // Without network or service, the next attempt may succeed.
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
        // A connection with an expired token is accepted as anonymous, and would still show a public overlay: so the
        // token is checked.
        if (key.kind === 'token') void this.#verify(listener)
      },
    })
    this.#client = client
    const options = isDelayed ? { delayed: true } : {}
    const published = new Following<{ readonly document: SceneDocument }>({
      topics: [client.topic(`${path}/published`)],
      tell: ({ document }) => listener.document(document),
      // An unpublished overlay has no such topic. The other topics report a loss of access.
      onError: () => {},
      signal: this.#ending.signal,
    })
    const both = (name: string) => [client.topic(`${path}/${name}`, options), client.topic(`${path}/${name}`)]
    new Following<ControlState>({
      topics: both('control'),
      tell: (control) => {
        listener.control(control)
        // The overlay may have been published since, so the document is tried again.
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
    // Scores may be hidden from viewers who see everything else.
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
  /** The first topic is used; the second one when the topic cannot be delayed. */
  readonly topics: readonly LiveTopic<unknown>[]
  readonly tell: (value: Value) => void
  readonly onError: (error: RealtimeError) => void
  readonly signal: AbortSignal
}

/** Follows a topic for ever: a missing topic may appear later, for instance when the overlay is published. */
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

  /** Subscribes now instead of after the wait, unless an attempt was just made. */
  retry(): void {
    if (this.#waiting === undefined || performance.now() - this.#begunAt < minMs) return
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
      // A subscription must not be cancelled inside its own callback.
      queueMicrotask(() => stop())
      this.#waiting = setTimeout(() => this.#begin(), isNotDelayed ? 0 : againMs)
    })
  }
}
