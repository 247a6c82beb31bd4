import { Problem } from '../../../core/problem.ts'
import type { CloseCode } from './closing.ts'
import type { Codec } from './codec.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Following } from './following.ts'
import { Bucket, type ConnectionLimits, ofAnonymous, updateBytes } from './limits.ts'
import { parsePacket, stubOf } from './packets.ts'
import { Line } from './serial-tasks.ts'

/** Reads, limits and orders the messages of a socket. (RT17, RT29) */

type Read = Readonly<Record<string, unknown>>

export interface IntakeOptions {
  readonly following: Following
  readonly commands: CommandQueue
  /** null for the service's own protocol. */
  readonly codec: Codec | null
  readonly limits: () => ConnectionLimits
  /** Must never reject. */
  readonly answer: (packet: Read) => Promise<void>
  /** Refuses a packet after the answers to all earlier ones. */
  readonly decline: (error: unknown, packet: Read) => void
  readonly close: (code: CloseCode) => void
  /** Called when the client closes the connection. */
  readonly leave: () => void
  readonly now: number
}

/** Maximum number of waiting packets: more than a burst, since some wait until the client reads its answers. */
const maxInLine = 128
/** A client with this many rate refusals within this many milliseconds is disconnected. */
const maxRefusals = 3
const refusalsMs = 10_000

export class Intake {
  readonly #options: IntakeOptions
  /** Packets that wait for earlier ones. */
  readonly #line = new Line()
  #isOver = false
  readonly #bucket: Bucket
  readonly #refusedAt: number[] = []

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#bucket = new Bucket(ofAnonymous.burst, options.now)
  }

  /** Grants the burst of a newly authenticated client. */
  fill(burst: number): void {
    this.#bucket.fill(burst)
  }

  /** Whether no packet waits. */
  get isIdle(): boolean {
    return this.#line.length === 0
  }

  /** Resolves when all packets received so far are answered. */
  get idle(): Promise<void> {
    return this.#line.idle
  }

  /** Ignores further messages. */
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
    else if (this.#line.length >= maxInLine) this.#refuseForRate(packet)
    else if (packet.type === 'publish' && mayWrite) this.#takeValue(packet)
    else if (packet.type === 'update' && mayWrite) this.#takeUpdate(packet)
    else this.#takeCounted(packet)
  }

  /** Clients of the compatible protocol only send requests for which there are packets, and no values. */
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

  /** Values have a rate limit of their own. */
  #takeValue(packet: Read): void {
    if (this.#options.following.takesValue(Date.now())) this.#answer(packet)
    else this.#line.add(() => this.#drop(packet))
  }

  /** Updates of documents have one, too. */
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
    if (this.#refusedAt.length >= maxRefusals) {
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
