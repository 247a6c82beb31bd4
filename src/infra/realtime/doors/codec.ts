import type { CloseCode } from './closing.ts'
import type { Frame } from './frame.ts'

/** How a client of another protocol says what packets say, and is told it. */
export interface Codec {
  /**
   * What a message asks for. A code for what is no message of the protocol; null for what asks for nothing by itself; `left`
   * where the client takes its leave.
   */
  read(data: Buffer, isBinary: boolean): Readonly<Record<string, unknown>> | CloseCode | 'left' | null
  /** What a packet is told by. */
  write(frame: Frame): readonly Frame[]
  /** Asks for a sign of life. */
  readonly ping: Frame
  /** What is said before the connection is closed, if anything. */
  farewell(code: CloseCode): Frame | null
}
