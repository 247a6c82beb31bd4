import type { Actor } from '../../core/actor.ts'
import { isSignedIn } from '../../core/actor.ts'
import type { Operation } from '../../core/operation.ts'
import { conflict, invalid, Problem } from '../../core/problem.ts'
import type { Database } from '../db/database.ts'
import type { Wake } from '../events/wake.ts'
import { type Bearer, type Credential, nobody } from '../http/admission.ts'
import type { Life } from '../http/route.ts'
import { type FactRules, FactTeller } from './facts.ts'
import { Feed } from './feed.ts'
import { Peers } from './peers.ts'
import { Positions } from './positions.ts'
import { EventStream, type StreamForm } from './stream.ts'
import { isLive, type Topic, Topics } from './topics.ts'

/** What is told as it happens: the feed of this process, and whoever is connected to it. */

export interface RealtimeOptions {
  readonly database: Database
  readonly wake: Wake
  readonly operations: readonly Operation[]
  readonly lifeOf: (operation: Operation) => Life
  readonly seal: (text: string) => string
  readonly facts: FactRules
  readonly verifyAgain: (bearer: Bearer, now: Date) => Promise<Bearer | null>
  /** Whether connections by address and handshakes are counted. */
  readonly areLimited: boolean
  readonly onError: (error: unknown) => void
}

export interface StreamWanted {
  readonly topics: readonly string[]
  readonly form: StreamForm
  readonly facts: boolean
  readonly since: string | undefined
  /** null for a stream that stays open. */
  readonly waitMs: number | null
}

const mostStreamsOfAddress = 6
const mostStreamsOfUser = 12
const mostTopicsOfStream = 20

export class Realtime {
  readonly topics: Topics
  readonly feed: Feed
  readonly peers: Peers
  readonly #options: RealtimeOptions
  #isDraining = false

  constructor(options: RealtimeOptions) {
    this.#options = options
    const positions = new Positions(options.seal)
    this.topics = new Topics(options.operations.filter(isLive))
    this.peers = new Peers(options.verifyAgain)
    this.feed = new Feed({
      ...{ database: options.database, wake: options.wake, lifeOf: options.lifeOf, positions },
      teller: new FactTeller(options.facts, positions),
      onError: options.onError,
      heed: (events) => this.peers.heed(events, new Date()),
    })
    this.feed.onBlind(() => this.#closeAll(4001))
  }

  get isBlind(): boolean {
    return this.feed.isBlind
  }

  /**
   * Opens a stream of topics.
   * @throws Problem `topic.unknown`, `topic.invalid`, `streams.limit`, and whatever the reads refuse their queries with
   */
  async openStream(wanted: StreamWanted, caller: { readonly actor: Actor; readonly ip: string }): Promise<EventStream> {
    const now = new Date()
    const { topics, facts, form, waitMs } = wanted
    if (topics.length === 0 || topics.length > mostTopicsOfStream) {
      throw invalid('topic.invalid', `Name 1 to ${mostTopicsOfStream} topics, each as \`topic\`.`)
    }
    const read = topics.map((name) => this.topics.read(name))
    if (new Set(read.map(({ name }) => name)).size < read.length) {
      throw conflict('topic.subscribed', 'A topic is named twice.')
    }
    if (this.#isDraining) throw restarting()
    const { actor, ip } = caller
    const bearer = isSignedIn(actor) ? await this.#bearerOf(actor, now) : null
    this.#checkRoom(bearer, ip)
    const credential: Credential = bearer === null ? nobody : { actor: bearer.actor, bare: false, fault: null }
    const stream = new EventStream(this.feed, { form, bearer, waitMs, viewer: { credential, ip } }, now, (closed) =>
      this.peers.remove(closed),
    )
    this.peers.add(stream)
    await stream.open(
      read.map((topic: Topic) => ({ topic, facts })),
      wanted.since,
    )
    return stream
  }

  async #bearerOf(actor: Actor, now: Date): Promise<Bearer | null> {
    const unproven: Bearer = { actor, tags: [], expiresAt: Number.POSITIVE_INFINITY }
    return this.#options.verifyAgain(unproven, now)
  }

  #checkRoom(bearer: Bearer | null, ip: string): void {
    if (!this.#options.areLimited) return
    const isStream = ({ door }: { readonly door: string }) => door !== 'socket'
    const open =
      bearer === null
        ? this.peers.strangersFrom(ip)
        : [...this.peers.of(bearer.actor.guid ?? '')].filter(isStream).length
    if (open < (bearer === null ? mostStreamsOfAddress : mostStreamsOfUser)) return
    throw new Problem('limited', 'streams.limit', 'There are too many open streams; close one first.', {
      headers: { 'retry-after': '5' },
    })
  }

  #closeAll(code: 4000 | 4001): void {
    for (const peer of [...this.peers]) peer.close(code)
  }

  /** Ends what is open, and takes nothing new. */
  drain(): void {
    this.#isDraining = true
    this.#closeAll(4000)
  }

  async close(): Promise<void> {
    this.drain()
    await this.feed.close()
  }
}

function restarting(): Problem {
  return new Problem(
    'unavailable',
    'service.unavailable',
    'The service is about to restart; try again in a few seconds.',
    {
      headers: { 'retry-after': '5' },
    },
  )
}
