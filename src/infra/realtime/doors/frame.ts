/** A packet as it leaves: made once, for however many it goes to. (RT8) */
export class Frame {
  readonly text: string
  #bytes: Buffer | undefined

  constructor(packet: object | string) {
    this.text = typeof packet === 'string' ? packet : JSON.stringify(packet)
  }

  /** A whole frame of RFC 6455, with its header. */
  get bytes(): Buffer {
    this.#bytes ??= framed(this.text)
    return this.#bytes
  }
}

/** A packet with a member that is JSON already. */
export function withMember(packet: object, name: string, json: string): Frame {
  return new Frame(`${JSON.stringify(packet).slice(0, -1)},"${name}":${json}}`)
}

const finalText = 0x81

/** (RFC 6455 §5.2) */
function framed(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = finalText
  if (length < 126) frame[1] = length
  else if (length < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, headLength)
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
