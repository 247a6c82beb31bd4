import type { CloseCode } from './closing.ts'
import type { Frame } from './frame.ts'

/** Translates packets to and from another protocol. */
export interface Codec {
  /**
   * Parses a message. A close code for an invalid message; null for a message without a request; `left` where the
   * client closes the connection.
   */
  read(data: Buffer, isBinary: boolean): Readonly<Record<string, unknown>> | CloseCode | 'left' | null
  /** Translates a packet. */
  write(frame: Frame): readonly Frame[]
  /** Asks the client for a sign of life. */
  readonly ping: Frame
  /** The message before the connection closes; null for none. */
  farewell(code: CloseCode): Frame | null
}
