import { Problem } from '../../../core/problem.ts'
import type { CloseCode } from './closing.ts'
import type { Codec } from './codec.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Following } from './following.ts'
import { Bucket, type ConnectionLimits, ofAnonymous, updateBytes } from './limits.ts'
import { Line } from './line.ts'
import { parsePacket, stubOf } from './packets.ts'

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
  /** Refuses a packet, behind the answers to all that came before. */
  readonly decline: (error: unknown, packet: Read) => void
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
  readonly #line = new Line()
  #isOver = false
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

  /** Whether none waits. */
  get isIdle(): boolean {
    return this.#line.length === 0
  }

  /** Resolves when all that have come by now are answered. */
  get idle(): Promise<void> {
    return this.#line.idle
  }

  /** Nothing more is taken. */
  end(): void {
    this.#isOver = true
  }

  take(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return
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
    else if (this.#line.length >= mostInLine) this.#refuseForRate(packet)
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
    else this.#line.add(() => this.#drop(packet))
  }

  /** So are updates of documents. */
  #takeUpdate(packet: Read): void {
    if (this.#options.following.takesUpdate(Date.now())) this.#answer(packet)
    else this.#refuseForRate(packet)
  }

  #answer(packet: Read): void {
    this.#line.add(() => this.#options.answer(packet))
  }

  #drop(packet: Read): void {
    try {
      this.#options.following.dropValue()
    } catch (error) {
      this.#options.decline(error, packet)
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
    if (packet.type === 'command') this.#options.commands.decline(problem, packet)
    else {
      const named = stubOf(packet)
      this.#line.add(() => this.#options.decline(problem, named))
    }
  }
}
