import { Problem } from '../../../core/problem.ts'
import type { CloseCode } from './closing.ts'
import type { Codec } from './codec.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Following } from './following.ts'
import { Bucket, type ConnectionLimits, ofAnonymous, updateBytes } from './limits.ts'
import { parsePacket } from './packets.ts'

/** What comes over a socket: read, counted, and put in its order. (RT17, RT29) */

type Read = Readonly<Record<string, unknown>>

export interface IntakeOptions {
  readonly following: Following
  readonly commands: CommandQueue
  /** null for packets as they are. */
  readonly codec: Codec | null
  readonly limits: () => ConnectionLimits
  /** Never rejects. */
  readonly answer: (packet: Read) => Promise<void>
  readonly refuse: (error: unknown, packet: Read) => void
  readonly close: (code: CloseCode) => void
  /** The client has said farewell. */
  readonly leave: () => void
  readonly now: number
}

/** Packets that wait for those before them: more than may come at once, since some wait until the socket takes what it asked for. */
const mostInLine = 128
/** So many refusals for their rate in so many milliseconds, and the client is sent away. */
const mostRefusals = 3
const refusalsMs = 10_000

export class Intake {
  readonly #options: IntakeOptions
  /** Packets that wait for those before them. */
  #line: Promise<void> = Promise.resolve()
  #inLine = 0
  readonly #bucket: Bucket
  readonly #refusedAt: number[] = []

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#bucket = new Bucket(ofAnonymous.burst, options.now)
  }

  /** Whoever is known from now on may send as many at once as others of their kind. */
  fill(burst: number): void {
    this.#bucket.fill(burst)
  }

  take(data: Buffer, isBinary: boolean): void {
    const { codec } = this.#options
    if (codec === null) this.#takeOwn(data, isBinary)
    else this.#takeOther(codec, data, isBinary)
  }

  #takeOwn(data: Buffer, isBinary: boolean): void {
    const { limits, close } = this.#options
    const { packetBytes, publishPerSecond } = limits()
    const isLarge = data.length > packetBytes
    const mayWrite = publishPerSecond > 0
    const packet = isBinary || data.length > (mayWrite ? updateBytes : packetBytes) ? null : parsePacket(data)
    if (packet === null || (isLarge && packet.type !== 'update')) close(isBinary ? 4201 : isLarge ? 4202 : 4200)
    else if (this.#inLine >= mostInLine) this.#refuseForRate(packet)
    else if (packet.type === 'publish' && mayWrite) this.#takeValue(packet)
    else if (packet.type === 'update' && mayWrite) this.#takeUpdate(packet)
    else this.#takeCounted(packet)
  }

  /** Whoever speaks another protocol asks for no more than there are packets for, and writes nothing. */
  #takeOther(codec: Codec, data: Buffer, isBinary: boolean): void {
    const { limits, close, leave } = this.#options
    const read = data.length > limits().packetBytes ? 4202 : codec.read(data, isBinary)
    if (typeof read === 'number') close(read)
    else if (read === 'left') leave()
    else if (read !== null) this.#takeCounted(read)
  }

  #takeCounted(packet: Read): void {
    const { limits, commands } = this.#options
    const { packetsPerSecond, burst } = limits()
    if (!this.#bucket.take(packetsPerSecond, burst, Date.now())) this.#refuseForRate(packet)
    else if (packet.type === 'command') commands.take(packet)
    else this.#answer(packet)
  }

  /** Values are counted apart from other packets. */
  #takeValue(packet: Read): void {
    if (this.#options.following.takesValue(Date.now())) this.#answer(packet)
    else this.#queue(() => this.#drop(packet))
  }

  /** So are updates of documents. */
  #takeUpdate(packet: Read): void {
    if (this.#options.following.takesUpdate(Date.now())) this.#answer(packet)
    else this.#refuseForRate(packet)
  }

  #answer(packet: Read): void {
    this.#queue(() => this.#options.answer(packet))
  }

  /** Behind the packets that came before. */
  #queue(work: () => Promise<void> | void): void {
    this.#inLine++
    this.#line = this.#line.then(work).finally(() => this.#inLine--)
  }

  #drop(packet: Read): void {
    try {
      this.#options.following.dropValue()
    } catch (error) {
      this.#options.refuse(error, packet)
    }
  }

  #refuseForRate(packet: Read): void {
    const now = Date.now()
    this.#refusedAt.push(now)
    while ((this.#refusedAt[0] ?? now) < now - refusalsMs) this.#refusedAt.shift()
    if (this.#refusedAt.length >= mostRefusals) {
      this.#options.close(4205)
      return
    }
    const problem = new Problem('limited', 'packets.limited', 'Packets come too fast; slow down.', {
      headers: { 'retry-after': '1' },
    })
    this.#options.refuse(problem, packet)
  }
}
