import { type Actor, isSignedIn, type View } from '../../core/actor.ts'
import type { Operation } from '../../core/operation.ts'
import { conflict, invalid, notReady, Problem, unauthenticated } from '../../core/problem.ts'
import { Batcher } from '../batcher.ts'
import type { Database } from '../db/database.ts'
import type { ListenerOptions } from '../db/listener.ts'
import type { Wake } from '../events/wake.ts'
import type { Held } from '../held/held.ts'
import { type Bearer, type Credential, credentialOf, isViewToken, nobody, type VerifyAgain } from '../http/admission.ts'
import type { Life } from '../http/route.ts'
import { digestOf } from '../secrets.ts'
import type { CompatibleDoor } from './compatible/door.ts'
import { Documents } from './documents/hub.ts'
import type { DocumentKind } from './documents/kind.ts'
import { Commands } from './doors/commands.ts'
import { Gateway } from './doors/gateway.ts'
import { maxStreamsOfAddress } from './doors/limits.ts'
import { withoutOptions } from './doors/options.ts'
import type { StreamForm } from './doors/outgoing-stream.ts'
import { knownToken, type Peer, Peers, revokedCode } from './doors/peers.ts'
import { Roster } from './doors/roster.ts'
import { EventStream } from './doors/stream.ts'
import type { Shown } from './doors/switchboard.ts'
import { type FactRules, FactTeller } from './durable/facts.ts'
import { Feed } from './durable/feed.ts'
import { Positions } from './durable/topic-positions.ts'
import { isLive, type Topic, Topics, unknownTopic } from './durable/topics.ts'
import type { Bus } from './ephemeral/bus.ts'
import { Ephemeral } from './ephemeral/hub.ts'
import { Address, type EphemeralTopic } from './ephemeral/topic.ts'
import { Tally } from './measures.ts'
import { takeTicket } from './store/tickets.ts'

/** The real-time service of this process: the feed, ephemeral topics, documents, and the connections. */

export interface RealtimeOptions {
  readonly database: Database
  readonly held: Held
  readonly wake: Wake
  readonly operations: readonly Operation[]
  readonly lifeOf: (operation: Operation) => Life
  readonly seal: (text: string) => string
  readonly facts: FactRules
  readonly ephemeral: readonly EphemeralTopic[]
  readonly documents: readonly DocumentKind[]
  /** Accepts clients of the compatible protocol; null where it is disabled. */
  readonly compatible: CompatibleDoor | null
  /** The connection settings of the database. */
  readonly connection: ListenerOptions['connection']
  readonly bus: Bus
  /** Lifetime of ephemeral values that replaces the default. */
  readonly expiresMs: number | undefined
  readonly verifyAll: (tokens: readonly string[], now: Date) => Promise<readonly (Bearer | null)[]>
  /** Like `verifyAll`, for one token that was verified before. */
  readonly verifyAgain: VerifyAgain
  /**
   * Counts a wrong view token against the sign-in budget of an address. (D13)
   * @throws Problem `request.limited`
   */
  readonly countGuess: (address: string) => void
  /** The card of a user, for answers. */
  readonly cardOf: (guid: string) => Promise<unknown>
  /** The data of the overlay that a view token shows. */
  readonly overlayOf: (view: View) => Promise<unknown>
  readonly trustedProxies: readonly string[]
  readonly maxSockets: number
  /** Milliseconds without reading the log that replace the default. */
  readonly blindMs?: number | undefined
  /** Whether connections and handshakes are limited by address. */
  readonly areLimited: boolean
  readonly onError: (error: unknown) => void
}

export interface StreamWanted {
  readonly topics: readonly string[]
  readonly form: StreamForm
  readonly facts: boolean
  /** Whether the topics are read as viewers of a delayed stream see them. */
  readonly delayed: boolean
  /** Maximum packets per second of ephemeral topics. */
  readonly rate: number | undefined
  readonly since: string | undefined
  readonly ticket: string | undefined
  /** null for a stream that stays open. */
  readonly waitMs: number | null
}

const maxTopicsOfStream = 20
/** After a gateway has died, its users connect to another one by the hundreds: their tokens are verified in batches. */
const rushOfUsers = { rush: 15, gatherMs: 250 }

export class Realtime {
  readonly topics: Topics
  readonly feed: Feed
  readonly ephemeral: Ephemeral
  readonly documents: Documents
  readonly peers: Peers
  readonly tally = new Tally()
  readonly #options: RealtimeOptions
  readonly #gateway: Gateway
  readonly #roster: Roster
  readonly #verifying: Batcher<string, Bearer | null>
  #isDraining = false

  constructor(options: RealtimeOptions) {
    this.#options = options
    const positions = new Positions(options.seal)
    this.topics = new Topics(options.operations.filter(isLive))
    this.peers = new Peers(options.verifyAgain)
    this.feed = new Feed({
      ...{ database: options.database, held: options.held, wake: options.wake, lifeOf: options.lifeOf },
      positions,
      teller: new FactTeller(options.facts, positions),
      onError: options.onError,
      heed: (events) => this.peers.heed(events, new Date()),
      onBlind: () => this.#closeAll(4001),
      tally: this.tally,
      blindMs: options.blindMs,
    })
    this.ephemeral = new Ephemeral({
      topics: options.ephemeral,
      operations: options.operations,
      ...{ lifeOf: options.lifeOf, heldFrom: options },
      bus: options.bus,
      db: options.database.db,
      begin: () => this.feed.begin(),
      expiresMs: options.expiresMs,
    })
    this.documents = new Documents({
      kinds: options.documents,
      lifeOf: options.lifeOf,
      database: options.database,
      db: options.database.db,
      connection: options.connection,
      begin: () => this.feed.begin(),
      onError: options.onError,
    })
    this.feed.addBeside(this.ephemeral.rights)
    this.feed.addBeside(this.documents.rights)
    this.feed.addBeside(this.ephemeral)
    // Connections with a revoked token are closed even without subscriptions.
    const { peers } = this
    this.feed.addBeside({
      get isFollowed() {
        return peers.areKnown
      },
      heed: async () => [],
    })
    this.#verifying = new Batcher({ ask: (tokens) => options.verifyAll(tokens, new Date()), ...rushOfUsers })
    this.#roster = new Roster(options.wake.guid, options, this.peers)
    this.#gateway = new Gateway({
      board: {
        tally: this.tally,
        feed: this.feed,
        topics: this.topics,
        peers: this.peers,
        onError: options.onError,
        ephemeral: this.ephemeral,
        documents: this.documents,
        commands: new Commands(options.operations, options.lifeOf, options.database.db),
        shownBy: (credential, address) => this.#shownBy(credential, address),
        verifyAgain: options.verifyAgain,
        cardOf: options.cardOf,
        overlayOf: options.overlayOf,
        hasRoom: (bearer) => this.#roster.hasRoom(bearer, 'socket'),
        confirm: (peer) => this.#confirm(peer),
      },
      trustedProxies: options.trustedProxies,
      areLimited: options.areLimited,
      most: options.maxSockets,
      compatible: options.compatible,
    })
  }

  /** Why this process should get no connections; null while it is well. */
  get unwell(): string | null {
    if (this.#isDraining) return 'draining'
    return this.feed.isBlind ? 'event log out of sight' : null
  }

  /**
   * Opens a stream of topics.
   * @throws Problem `topic.unknown`, `topic.invalid`, `streams.limit`, and the reads' refusals of their queries
   */
  async openStream(wanted: StreamWanted, caller: { readonly actor: Actor; readonly ip: string }): Promise<EventStream> {
    const now = new Date()
    const { topics, rate, form, waitMs } = wanted
    if (topics.length === 0 || topics.length > maxTopicsOfStream) {
      throw invalid('topic.invalid', `Name 1 to ${maxTopicsOfStream} topics, each as \`topic\`.`)
    }
    const asked = topics.map((topic) => {
      const { plain, facts, delayed } = withoutOptions({ ...wanted, topic })
      return { named: this.read(plain, delayed), facts }
    })
    const read = asked.map(({ named }) => named)
    if (new Set(read.map(({ name }) => name)).size < read.length) {
      throw conflict('topic.subscribed', 'A topic is named twice.')
    }
    if (this.#isDraining) throw notReady('The service is about to restart; try again in a few seconds.')
    const { ip } = caller
    const shown = await this.#callerOf(caller, wanted.ticket, now)
    const bearer = shown?.bearer ?? null
    if (shown?.topics != null && read.some((topic) => !shown.topics?.has(topic.undelayedName))) throw unknownTopic()
    await this.#checkRoom(bearer, { door: form, address: ip })
    const credential: Credential = bearer === null ? nobody : credentialOf(bearer)
    const hubs = { feed: this.feed, ephemeral: this.ephemeral }
    const stream = new EventStream(hubs, { form, bearer, waitMs, viewer: { credential, ip } }, now, (closed) =>
      this.peers.remove(closed),
    )
    this.peers.add(stream)
    try {
      if (this.#options.areLimited && bearer !== null && !this.#roster.isWithin(stream)) throw tooManyStreams()
      await this.#confirm(stream)
      await stream.open(
        asked.map(({ named, facts }) =>
          named instanceof Address ? { address: named, rate } : { topic: named, facts },
        ),
        wanted.since,
      )
    } catch (error) {
      stream.body.destroy()
      throw error
    }
    return stream
  }

  /**
   * A step does not include a token that was revoked during the handshake, and connections accepted at the same time
   * were not counted: both are checked here.
   */
  async #confirm(peer: Peer): Promise<void> {
    const { bearer } = peer
    if (bearer === null) return
    if (peer.door === 'socket' && !this.#roster.isWithin(peer)) return peer.close(4204)
    if ((await this.#options.verifyAgain(knownToken(bearer), new Date())) === null) peer.close(revokedCode(bearer))
  }

  /**
   * The topic of a name.
   * @throws Problem `topic.unknown`, `topic.invalid`, `topic.not_delayed`
   */
  read(name: string, isDelayed = false): Topic | Address {
    return this.ephemeral.topics.find(name, isDelayed) ?? this.topics.read(name, isDelayed)
  }

  /**
   * @throws Problem `ticket.invalid`
   */
  async #callerOf(
    { actor, ip }: { readonly actor: Actor; readonly ip: string },
    ticket: string | undefined,
    now: Date,
  ): Promise<Shown | null> {
    if (ticket !== undefined) {
      const shown = await this.#shownBy({ ticket }, ip)
      if (shown === null) throw unauthenticated('ticket.invalid', 'The ticket is not valid or no longer valid.')
      return shown
    }
    if (actor.view === null && (!isSignedIn(actor) || actor.token === null)) return null
    await this.feed.begin()
    const bearer = await this.#options.verifyAgain(knownToken({ actor }), now)
    return bearer === null ? null : { bearer, topics: null }
  }

  async #checkRoom(bearer: Bearer | null, coming: Pick<Peer, 'door' | 'address'>): Promise<void> {
    if (!this.#options.areLimited) return
    const hasRoom =
      bearer === null
        ? this.peers.strangersFrom(coming) < maxStreamsOfAddress
        : await this.#roster.hasRoom(bearer, 'stream')
    if (!hasRoom) throw tooManyStreams()
  }

  /** Verifies a token or a ticket, with the topics that it is limited to; null for an invalid one. */
  async #shownBy(
    credential: { readonly token: string } | { readonly ticket: string },
    address: string,
  ): Promise<Shown | null> {
    const now = new Date()
    const { database, verifyAgain } = this.#options
    // From here on, a step will include every event that ends the token.
    await this.feed.begin()
    if ('token' in credential) {
      const bearer = await this.#verifying.ask(credential.token)
      if (bearer === null && isViewToken(credential.token)) this.#options.countGuess(address)
      return bearer === null ? null : { bearer, topics: null }
    }
    const digest = digestOf(credential.ticket)
    const ticket = await database.transaction((tx) => takeTicket(tx, digest, now))
    if (ticket === undefined) return null
    const { jti, userGuid, scopes, topics } = ticket
    const bearer = await verifyAgain({ jti, userGuid, scopes }, now)
    return bearer === null ? null : { bearer, topics: topics === null ? null : new Set(topics) }
  }

  #closeAll(code: 4000 | 4001): void {
    for (const peer of [...this.peers]) peer.close(code)
  }

  /** Starts to accept sockets; returns the port. */
  listen(host: string, port: number): Promise<number> {
    return this.#gateway.listen(host, port)
  }

  /** Closes all connections, spread over some time, and accepts no new ones. (RT32) */
  async drain(): Promise<void> {
    this.#isDraining = true
    for (const peer of [...this.peers]) if (peer.door !== 'socket') peer.close(4000)
    await this.#gateway.close()
  }

  async close(): Promise<void> {
    if (!this.#isDraining) await this.drain()
    await this.#roster.close()
    this.ephemeral.close()
    await this.documents.close()
    await this.feed.close()
  }
}

function tooManyStreams(): Problem {
  return new Problem('limited', 'streams.limit', 'There are too many open streams; close one first.', {
    headers: { 'retry-after': '5' },
  })
}
