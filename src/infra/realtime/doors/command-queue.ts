import { setTimeout as wait } from 'node:timers/promises'
import { type Operation, successStatus } from '../../../core/operation.ts'
import { forbidden, Problem } from '../../../core/problem.ts'
import type { Credential } from '../../http/admission.ts'
import type { Rendered } from '../../http/answer.ts'
import type { Commands } from './commands.ts'
import { type Frame, withMember } from './frame.ts'
import { maxCommandsWaiting } from './limits.ts'
import { type Packet, readPacket, stubOf, withId } from './packets.ts'
import { Line } from './serial-tasks.ts'

/**
 * The commands of one socket: run one after another, in parallel with other packets, and answered in their order.
 * (RT17, D83)
 */

export interface CommandQueueOptions {
  readonly commands: Commands
  readonly address: string
  /** Verifies the connection's token again, as HTTP does for each request. */
  readonly credential: () => Promise<Credential>
  /** The topics of a ticket that is limited to some topics; null otherwise. (RT27) */
  readonly topics: () => ReadonlySet<string> | null
  /** Resolves when the connection has room for an answer. */
  readonly room: () => Promise<void>
  /** Resolves when the command's changes were sent over the connection. */
  readonly settle: () => Promise<void>
  readonly send: (frame: Frame) => void
  readonly refuse: (error: unknown, packet: Readonly<Record<string, unknown>>, operation?: Operation) => void
}

/** Maximum wait of a result for the changes of its command, in milliseconds. */
const settleMs = 2_000

export class CommandQueue {
  readonly #options: CommandQueueOptions
  /** Includes commands that wait to be refused. */
  readonly #line = new Line()
  #waiting = 0

  constructor(options: CommandQueueOptions) {
    this.#options = options
  }

  get isWorking(): boolean {
    return this.#line.length > 0
  }

  /** Resolves when all commands received so far are answered. */
  get idle(): Promise<void> {
    return this.#line.idle
  }

  take(packet: Readonly<Record<string, unknown>>): void {
    if (this.#waiting >= maxCommandsWaiting) {
      const words = 'Too many commands wait; send the next when one is answered.'
      this.decline(new Problem('limited', 'commands.limit', words), packet)
      return
    }
    this.#waiting++
    this.#line.add(() => this.#run(packet).finally(() => this.#waiting--))
  }

  /** Refuses a command without running it, after the answers to earlier ones. */
  decline(problem: Problem, packet: Readonly<Record<string, unknown>>): void {
    const named = stubOf(packet)
    this.#line.add(() => this.#options.refuse(problem, named))
  }

  async #run(value: Readonly<Record<string, unknown>>): Promise<void> {
    const { commands, address, credential, topics, settle, refuse, send } = this.#options
    let operation: Operation | undefined
    await this.#options.room()
    try {
      const packet = readPacket(value) as Packet<'command'>
      if (topics() !== null) {
        throw forbidden('command.topics_only', 'The ticket is for topics alone; authenticate with what takes commands.')
      }
      operation = commands.find(packet.name)
      const rendered = await commands.run(operation, packet, address, credential)
      const isSettled = await Promise.race([settle().then(() => true), wait(settleMs, false, { ref: false })])
      send(resultOf(operation, packet, rendered, !isSettled))
    } catch (error) {
      refuse(error, value, operation)
    }
  }
}

function resultOf(
  operation: Operation,
  packet: Packet<'command'>,
  { answer, body }: Rendered,
  isBehind: boolean,
): Frame {
  const text = body?.toString() ?? 'null'
  const { revision } = (body === null ? {} : JSON.parse(text)) as { readonly revision?: unknown }
  const rest = {
    type: 'result',
    ...withId(packet),
    status: answer.status || successStatus(operation),
    replayed: answer.headers['idempotent-replayed'] === 'true',
    ...(typeof revision === 'number' ? { revision } : {}),
    ...(isBehind ? { behind: true } : {}),
  }
  return withMember(rest, 'body', text)
}
