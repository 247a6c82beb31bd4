/** A packet as it leaves: made once, for however many it goes to. (RT8) */
export class Frame {
  readonly text: string
  #bytes: Buffer | undefined

  /** @param bytes that are sent in place of the text, whatever messages these are */
  constructor(packet: object | string, bytes?: Buffer) {
    this.text = typeof packet === 'string' ? packet : JSON.stringify(packet)
    this.#bytes = bytes
  }

  /** Characters or, where there are none, bytes: for as much as is known before it is sent. */
  get size(): number {
    return this.text.length || (this.#bytes?.length ?? 0)
  }

  /** A whole frame of RFC 6455, with its header. */
  get bytes(): Buffer {
    this.#bytes ??= framed(this.text)
    return this.#bytes
  }
}

/** Several messages as one: nothing comes between them. */
export function asOne(...messages: readonly (string | Uint8Array)[]): Frame {
  return new Frame('', Buffer.concat(messages.map(framed)))
}

/** A packet with a member that is JSON already. */
export function withMember(packet: object, name: string, json: string): Frame {
  return new Frame(`${JSON.stringify(packet).slice(0, -1)},"${name}":${json}}`)
}

const [finalText, finalBinary] = [0x81, 0x82]

/** (RFC 6455 §5.2) */
function framed(payload: string | Uint8Array): Buffer {
  const isText = typeof payload === 'string'
  const length = isText ? Buffer.byteLength(payload) : payload.length
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = isText ? finalText : finalBinary
  if (length < 126) frame[1] = length
  else if (length < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  if (isText) frame.write(payload, headLength)
  else frame.set(payload, headLength)
  return frame
}

/** Where packets go: a socket, or a stream of HTTP. */
export interface Sink {
  send(frame: Frame): void
  /** The packets of a step are complete. */
  endStep(): void
  /** Whether so much waits to be taken that more would only wait too. (RT30) */
  readonly isFull: boolean
}
