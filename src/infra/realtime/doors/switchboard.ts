import type { View } from '../../../core/actor.ts'
import type { Bearer, VerifyAgain } from '../../http/admission.ts'
import type { Documents } from '../documents/hub.ts'
import type { Feed } from '../durable/feed.ts'
import type { Topics } from '../durable/topics.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import type { Tally } from '../measures.ts'
import type { Codec } from './codec.ts'
import type { Commands } from './commands.ts'
import type { Connection } from './connection.ts'
import type { Peer, Peers } from './peers.ts'

/**
 * The verified identity of a connection, and the topics that it may follow: null for all. With a restriction, commands
 * are refused. (RT27)
 */
export interface Shown {
  readonly bearer: Bearer
  readonly topics: ReadonlySet<string> | null
}

/** What all sockets of a process share. */
export interface Switchboard {
  readonly feed: Feed
  readonly topics: Topics
  readonly ephemeral: Ephemeral
  readonly documents: Documents
  readonly commands: Commands
  readonly peers: Peers
  /**
   * Verifies a token or a ticket; null for an invalid one.
   * @throws Problem `request.limited`, after too many guesses from the address
   */
  readonly shownBy: (
    credential: { readonly token: string } | { readonly ticket: string },
    address: string,
  ) => Promise<Shown | null>
  readonly verifyAgain: VerifyAgain
  readonly cardOf: (guid: string) => Promise<unknown>
  /** The card of the overlay of a view token. */
  readonly overlayOf: (view: View) => Promise<unknown>
  /** Whether the application, the user or the view token may open one more connection. */
  readonly hasRoom: (bearer: Bearer) => Promise<boolean>
  /** Closes a peer whose token was revoked while it was accepted. */
  readonly confirm: (peer: Peer) => Promise<void>
  /** Schedules the write of queued packets. */
  readonly flushSoon: (connection: Connection) => void
  /** Schedules the connection's maintenance within a second. */
  readonly lookSoon: (connection: Connection) => void
  readonly onError: (error: unknown) => void
  readonly tally: Tally
  readonly heartbeatMs: number
  /** For clients of the compatible protocol; null where it is disabled. */
  readonly newCodec: (() => Codec) | null
}
