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

/** Whose a connection is, and what it may follow: anything where that is null; where it is not, it takes no commands. (RT27) */
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
   * What a token or a ticket shows; null for one that does not count.
   * @throws Problem `request.limited`, where there were too many guesses from the address
   */
  readonly shownBy: (
    credential: { readonly token: string } | { readonly ticket: string },
    address: string,
  ) => Promise<Shown | null>
  readonly verifyAgain: VerifyAgain
  readonly cardOf: (guid: string) => Promise<unknown>
  /** What is told of the overlay that a view token shows. */
  readonly overlayOf: (view: View) => Promise<unknown>
  /** Whether an application, a user or a view token has room for one more. */
  readonly hasRoom: (bearer: Bearer) => Promise<boolean>
  /** Closes a peer whose token was revoked while it was let in. */
  readonly confirm: (peer: Peer) => Promise<void>
  /** Sends what is gathered, soon. */
  readonly flushSoon: (connection: Connection) => void
  /** Looks after it within a second. */
  readonly lookSoon: (connection: Connection) => void
  readonly onError: (error: unknown) => void
  readonly tally: Tally
  readonly heartbeatMs: number
  /** For those who speak another protocol. */
  readonly newCodec: (() => Codec) | null
}
