import type { Ask, EndOfConnection, Order, Told } from './messages.ts'

/** Connections to an assistant's server. */

export interface AssistantAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** `public`, or the SHA-256 fingerprint of a self-signed certificate, in hex. */
  readonly certificate: string
}

export interface Opening {
  readonly address: AssistantAddress
  /** Stands in every packet; asked for each time, so that it can be renewed on the way. */
  readonly token: () => string
  /** GUID of the assistant's tournament; what is asked is about it. */
  readonly tournament: string
  /** In the order in which it came; never within `send`. */
  readonly onTold: (told: Told) => void
  /** Once, after which nothing more is told. `words` leak no inner address. */
  readonly onEnd: (end: EndOfConnection, words: string) => void
}

export interface AssistantConnection {
  /** Names the sender in packets from now on, as the answer to `join` says. */
  selfGuid: string
  /** @returns the id of the packet, by which answers name it */
  send(message: Ask | Order): string
  /** Milliseconds of the local clock (`performance.now()`) when something last came. */
  readonly lastPacketAt: number
  close(): void
}

export interface AssistantClient {
  /** Resolves once the socket is open. @throws Unreachable */
  open(opening: Opening): Promise<AssistantConnection>
  /** Ends all that is open. */
  close(): Promise<void>
}
