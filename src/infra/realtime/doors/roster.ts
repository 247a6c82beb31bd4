import { Batcher } from '../../batcher.ts'
import type { Database } from '../../db/database.ts'
import type { Bearer } from '../../http/admission.ts'
import {
  countElsewhere,
  deleteConnections,
  deleteProcess,
  type HeldConnection,
  listExcess,
  saveConnections,
  saveProcess,
} from '../store/connections.ts'
import { maxConnectionsOfApplication, maxOfHolder } from './limits.ts'
import { holderOf, kindOf, type Peer, type Peers } from './peers.ts'

/**
 * Makes the connections of users and view tokens known to every process: for the list of a user's connections, and for
 * their maximum. Changes are written every few seconds; without authenticated connections nothing is written. (RT29)
 */

const syncMs = 2_000
const renewMs = 5_000
const forgottenMs = 30_000
/** For this long, connections that other processes accepted at the same moment may still become known. */
const settlingMs = 10_000
/** Rows per statement. */
const batch = 500

type Kind = 'socket' | 'stream'

interface Elsewhere {
  readonly ofHolder: Readonly<Record<Kind, number>>
  /** Number of sockets; streams do not count for applications. */
  readonly ofApplication: number
}

const none = { socket: 0, stream: 0 }

interface Parts {
  readonly database: Database
  /** Whether streams are limited: sockets always are. */
  readonly areLimited: boolean
  readonly onError: (error: unknown) => void
}

export class Roster {
  readonly #guid: string
  readonly #database: Database
  readonly #peers: Peers
  readonly #areStreamsLimited: boolean
  readonly #onError: (error: unknown) => void
  readonly #elsewhere: Batcher<Bearer, Elsewhere>
  /** Number of subscriptions in the database, by connection GUID. */
  #written = new Map<string, number>()
  /** Recently written connections, and when they were written. */
  readonly #settling = new Map<Peer, number>()
  #renewedAt = 0
  #syncing: Promise<void> | null = null
  readonly #timer: NodeJS.Timeout

  /** @param guid of this process, as in `Wake` */
  constructor(guid: string, { database, areLimited, onError }: Parts, peers: Peers) {
    this.#guid = guid
    this.#database = database
    this.#areStreamsLimited = areLimited
    this.#peers = peers
    this.#onError = onError
    this.#elsewhere = new Batcher({ ask: (bearers) => this.#countElsewhere(bearers) })
    this.#timer = setInterval(() => this.#syncSoon(), syncMs).unref()
  }

  /** Whether the user, the application acting for the user, or the view token may open one more socket or stream. */
  async hasRoom(bearer: Bearer, kind: Kind): Promise<boolean> {
    const { token } = bearer.actor
    const here = (tag: string) => [...this.#peers.of(tag)].filter((peer) => kindOf(peer) === kind).length
    const elsewhere = await this.#elsewhere.ask(bearer)
    if (here(holderOf(bearer)) + elsewhere.ofHolder[kind] >= maxOfHolder[kind]) return false
    const clientId = kind === 'socket' ? (token?.clientId ?? null) : null
    return clientId === null || here(clientId) + elsewhere.ofApplication < maxConnectionsOfApplication
  }

  async #countElsewhere(bearers: readonly Bearer[]): Promise<Elsewhere[]> {
    const counts = await countElsewhere(this.#database.db, this.#guid, askedOf(bearers))
    return bearers.map((bearer) => {
      const client = clientOf(bearer)
      return {
        ofHolder: counts.get(holderOf(bearer)) ?? none,
        ofApplication: client === null ? 0 : (counts.get(client) ?? none).socket,
      }
    })
  }

  /**
   * Whether a connection is within the maximum of its holder and its application in this process: connections accepted
   * at the same moment were not counted for each other in `hasRoom`.
   */
  isWithin(peer: Peer): boolean {
    const { bearer } = peer
    const kind = kindOf(peer)
    const place = (tag: string | undefined | null) =>
      [...this.#peers.of(tag ?? '')].filter((other) => kindOf(other) === kind).indexOf(peer)
    const isOfHolder = place(bearer === null ? null : holderOf(bearer)) < maxOfHolder[kind]
    if (kind === 'stream') return isOfHolder
    return isOfHolder && place(bearer?.actor.token?.clientId) < maxConnectionsOfApplication
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#syncing
    if (this.#renewedAt === 0) return
    await this.#database.transaction((tx) => deleteProcess(tx, this.#guid)).catch(this.#onError)
  }

  #syncSoon(): void {
    this.#syncing ??= this.#sync()
      .catch(this.#onError)
      .finally(() => {
        this.#syncing = null
      })
  }

  async #sync(): Promise<void> {
    await this.#write()
    await this.#closeExcess()
  }

  async #write(): Promise<void> {
    // Other processes delete a process that has not written for so long, with its connections.
    if (Date.now() - this.#renewedAt > forgottenMs) this.#written.clear()
    const held = [...this.#peers].filter(({ bearer }) => bearer !== null)
    const changed = held.filter(({ guid, following }) => this.#written.get(guid) !== following)
    const current = new Set(held.map(({ guid }) => guid))
    const ended = [...this.#written.keys()].filter((guid) => !current.has(guid))
    const isOverdue = held.length > 0 && Date.now() - this.#renewedAt > renewMs
    if (changed.length === 0 && ended.length === 0 && !isOverdue) return
    const written = new Map(held.map(({ guid, following }) => [guid, following]))
    await this.#database.transaction(async (tx) => {
      await saveProcess(tx, this.#guid)
      await deleteConnections(tx, ended)
      for (let from = 0; from < changed.length; from += batch) {
        await saveConnections(
          tx,
          changed.slice(from, from + batch).map((peer) => this.#rowOf(peer)),
        )
      }
    })
    this.#renewedAt = Date.now()
    for (const peer of changed) if (!this.#written.has(peer.guid)) this.#settling.set(peer, this.#renewedAt)
    this.#written = written
  }

  /**
   * Closes connections above the maximum. Those accepted at the same moment by several processes were not counted for
   * each other in `hasRoom`.
   */
  async #closeExcess(): Promise<void> {
    for (const [peer, writtenAt] of this.#settling) {
      if (!this.#written.has(peer.guid) || Date.now() - writtenAt > settlingMs) this.#settling.delete(peer)
    }
    if (this.#settling.size === 0) return
    const bearers = [...this.#settling.keys()].map(({ bearer }) => bearer).filter((bearer) => bearer !== null)
    const most = { ofHolder: maxOfHolder, ofApplication: maxConnectionsOfApplication }
    const excess = await listExcess(this.#database.db, askedOf(bearers), most)
    for (const peer of this.#settling.keys()) {
      if (excess.has(peer.guid) && (kindOf(peer) === 'socket' || this.#areStreamsLimited)) peer.close(4204)
    }
  }

  #rowOf({ guid, bearer, door, address, connectedAt, following }: Peer): HeldConnection {
    return {
      guid,
      processGuid: this.#guid,
      door,
      address,
      connectedAt,
      subscriptions: following,
      userGuid: bearer === null ? '' : holderOf(bearer),
      clientId: bearer?.actor.token?.clientId ?? null,
    }
  }
}

function clientOf({ actor }: Bearer): string | null {
  return actor.token?.clientId ?? null
}

function askedOf(bearers: readonly Bearer[]) {
  const clients = new Set(bearers.map(clientOf))
  return { holders: [...new Set(bearers.map(holderOf))], clients: [...clients].filter((client) => client !== null) }
}
