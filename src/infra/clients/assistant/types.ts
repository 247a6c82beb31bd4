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
  /** The token of every packet; called for each one, so that the token can be renewed meanwhile. */
  readonly token: () => string
  /** GUID of the assistant's tournament, which all requests are about. */
  readonly tournament: string
  /** Called for messages in their order; never called within `send`. */
  readonly onMessage: (told: Told) => void
  /** Called once, after the last message. `words` contains no internal address. */
  readonly onEnd: (end: EndOfConnection, words: string) => void
}

export interface AssistantConnection {
  /** Our GUID in all further packets, from the answer to `join`. */
  selfGuid: string
  /** @returns the id of the packet, which answers repeat */
  send(message: Ask | Order): string
  /** When the last message came, in milliseconds of `performance.now()`. */
  readonly lastPacketAt: number
  close(): void
}

export interface AssistantClient {
  /** Resolves once the socket is open. @throws Unreachable */
  open(opening: Opening): Promise<AssistantConnection>
  /** Ends all connections. */
  close(): Promise<void>
}
