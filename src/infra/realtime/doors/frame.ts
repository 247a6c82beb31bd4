/** An outgoing packet: serialised once, for any number of receivers. (RT8) */
export class Frame {
  readonly text: string
  #bytes: Buffer | undefined
  #pieces: readonly Buffer[] | undefined

  /** @param bytes sent instead of the text, which may be several messages */
  constructor(packet: object | string, bytes?: Buffer) {
    this.text = typeof packet === 'string' ? packet : JSON.stringify(packet)
    this.#bytes = bytes
  }

  /** Length in characters or, without a text, in bytes: available before the packet is sent. */
  get size(): number {
    return this.text.length || (this.#bytes?.length ?? 0)
  }

  /** A whole frame of RFC 6455, with its header. */
  get bytes(): Buffer {
    this.#bytes ??= framed(this.text)
    return this.#bytes
  }

  /**
   * The same in pieces: a large packet becomes a message of several frames, so that pings may be sent in between. (RFC
   * 6455 §5.4)
   */
  get pieces(): readonly Buffer[] {
    this.#pieces ??= this.text.length > pieceBytes ? fragmented(this.text) : [this.bytes]
    return this.#pieces
  }
}

/** Maximum bytes of a large packet that are written at once. */
export const pieceBytes = 64 * 1024

/** Packets that are written together: small ones in one buffer, large ones each in their own. */
export interface Parcel {
  readonly packets: readonly (readonly Buffer[])[]
  readonly bytes: number
  /** Whether it must be written piece by piece. */
  readonly isLarge: boolean
}

export function parcelOf(frames: readonly Frame[]): Parcel {
  const isLarge = frames.reduce((sum, { size }) => sum + size, 0) > pieceBytes
  const together = () =>
    frames.length === 1 ? (frames[0] as Frame).bytes : Buffer.concat(frames.map((frame) => frame.bytes))
  const packets = isLarge ? frames.map(({ pieces }) => pieces) : [[together()]]
  return { packets, isLarge, bytes: packets.flat().reduce((sum, { length }) => sum + length, 0) }
}

/** Joins several messages, so that no other message comes between them. */
export function asOne(...messages: readonly (string | Uint8Array)[]): Frame {
  return new Frame('', Buffer.concat(messages.map(framed)))
}

/** A packet with a member that is already JSON. */
export function withMember(packet: object, name: string, json: string): Frame {
  return new Frame(`${JSON.stringify(packet).slice(0, -1)},"${name}":${json}}`)
}

const [final, isText, isBinary, goesOn] = [0x80, 0x01, 0x02, 0x00]

function framed(payload: string | Uint8Array): Buffer {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  const head = headOf(final | (typeof payload === 'string' ? isText : isBinary), length)
  const frame = Buffer.allocUnsafe(head.length + length)
  head.copy(frame)
  if (typeof payload === 'string') frame.write(payload, head.length)
  else frame.set(payload, head.length)
  return frame
}

function fragmented(text: string): readonly Buffer[] {
  const all = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let from = 0; from < all.length; from += pieceBytes) {
    const part = all.subarray(from, from + pieceBytes)
    const isLast = from + pieceBytes >= all.length
    pieces.push(Buffer.concat([headOf((isLast ? final : 0) | (from === 0 ? isText : goesOn), part.length), part]))
  }
  return pieces
}

/** The header of an unmasked frame. (RFC 6455 §5.2) */
function headOf(kind: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = kind
  if (length < 126) head[1] = length
  else if (length < 65_536) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return head
}

/** The receiver of packets: a socket, or an HTTP stream. */
export interface Sink {
  send(frame: Frame): void
  /** Called when all packets of a step were sent. */
  endStep(): void
  /** Whether the queue is so long that more packets would only wait. (RT30) */
  readonly isFull: boolean
}
