import { localError, RealtimeError } from './errors.ts'
import type { Result, ServerPacket } from './packets.ts'
import type { Socket } from './socket.ts'

/** The maximum of unanswered commands; the service accepts 32, and runs them one after another. */
const maxUnanswered = 16

export interface CommandResult<Body> {
  readonly status: number
  readonly body: Body
  readonly etag?: string
  readonly revision?: number
  /** Whether the command had run before; the result is that of the first run. */
  readonly replayed: boolean
  /** Whether the topics have not received the change of this command yet. */
  readonly behind: boolean
}

export interface CommandOptions {
  /**
   * A key that you choose, of at most 64 letters, digits, dots, underscores or hyphens. With it the command is sent
   * again when its answer was lost, and runs only once. Without it, nobody knows then whether it ran.
   */
  readonly key?: string
  /** Stops waiting and repeating. The command may have run. */
  readonly signal?: AbortSignal
}

interface Pending {
  readonly packet: object
  readonly isKeyed: boolean
  readonly resolve: (result: CommandResult<never>) => void
  readonly reject: (error: unknown) => void
  state: 'waiting' | 'queued' | 'sent'
  /** GUID of the user who sent it. */
  user: string | undefined
}

/** Commands without an answer yet. */
export class Commands {
  readonly #pending = new Set<Pending>()
  /** Called when there is something to send. */
  readonly #wake: () => void
  #socket: Socket | undefined
  #user = ''
  #refusal: RealtimeError | undefined

  constructor(wake: () => void) {
    this.#wake = wake
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0
  }

  run<Body>(name: string, input: object, { key, signal }: CommandOptions): Promise<CommandResult<Body>> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    let [resolve, reject]: [Pending['resolve'], Pending['reject']] = [() => {}, () => {}]
    // `Promise.withResolvers` is newer than the browsers in broadcasting programs.
    const promise = new Promise<CommandResult<Body>>((...given) => {
      ;[resolve, reject] = given as [Pending['resolve'], Pending['reject']]
    })
    const packet = { type: 'command', name, ...input, ...(key !== undefined && { key }) }
    const pending: Pending = { packet, isKeyed: key !== undefined, resolve, reject, state: 'waiting', user: undefined }
    this.#pending.add(pending)
    const abort = () => this.#reject(pending, signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    this.#send()
    this.#wake()
    return promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  /** @param user the GUID, or an empty text for anonymous callers */
  attach(socket: Socket, user: string): void {
    this.#socket = socket
    this.#user = user
    for (const pending of this.#pending) {
      // A key belongs to one user: sent by another user, the command would run again.
      if (pending.user !== undefined && pending.user !== user) this.#reject(pending, lostError())
    }
    this.#send()
  }

  detach(): void {
    this.#socket = undefined
    for (const pending of this.#pending) {
      if (pending.state === 'sent' && !pending.isKeyed) this.#reject(pending, lostError())
      else pending.state = 'waiting'
    }
  }

  /** Rejects all commands, and new ones too until `undefined` is given. */
  refuse(error: RealtimeError | undefined): void {
    this.#refusal = error
    if (error !== undefined) for (const pending of this.#pending) this.#reject(pending, error)
  }

  /** Sends waiting commands in the order of the calls. */
  #send(): void {
    const socket = this.#socket
    if (socket === undefined) return
    let underWay = 0
    for (const pending of this.#pending) {
      if (underWay === maxUnanswered) return
      if (pending.state === 'waiting') this.#sendOne(socket, pending)
      if (this.#pending.has(pending)) underWay++
    }
  }

  #sendOne(socket: Socket, pending: Pending): void {
    if (!socket.fits(pending.packet)) {
      this.#reject(pending, tooLargeError())
      return
    }
    pending.state = 'queued'
    const onSent = () => {
      pending.state = 'sent'
      pending.user = this.#user
    }
    socket.send(pending.packet, (answer) => this.#answered(pending, answer), onSent)
  }

  #answered(pending: Pending, answer: ServerPacket): void {
    if (answer.type === 'result') {
      this.#pending.delete(pending)
      pending.resolve(resultOf(answer))
    } else if (answer.type === 'error') this.#reject(pending, new RealtimeError(answer))
    this.#send()
  }

  #reject(pending: Pending, error: unknown): void {
    if (this.#pending.delete(pending)) pending.reject(error)
  }
}

function resultOf({ status, body, etag, revision, replayed = false, behind = false }: Result): CommandResult<never> {
  return {
    status,
    body: body as never,
    ...(etag !== undefined && { etag }),
    ...(revision !== undefined && { revision }),
    replayed,
    behind,
  }
}

const lostError = () =>
  localError(
    'connection.lost',
    'The connection was lost before the answer came: the command may have been carried out, or not.',
  )
const tooLargeError = () =>
  localError('packet.too_large', 'The command is larger than the service takes over the socket.')
