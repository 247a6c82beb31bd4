import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { type Operation, successStatus } from '../../../core/operation.ts'
import { conflict, missing, notReady, Problem, unauthenticated } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { type Bearer, type Credential, type KnownToken, nobody } from '../../http/admission.ts'
import type { Rendered } from '../../http/answer.ts'
import { statusOf } from '../../http/statuses.ts'
import type { Feed } from '../durable/feed.ts'
import { DurablePart } from '../durable/part.ts'
import { nameOf, type Viewer } from '../durable/subscription.ts'
import { type Topic, type Topics, unknownTopic } from '../durable/topics.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import { EphemeralPart } from '../ephemeral/part.ts'
import type { Address } from '../ephemeral/topic.ts'
import type { Tally } from '../measures.ts'
import { type CloseCode, reasonOf } from './closing.ts'
import type { Commands } from './commands.ts'
import { Frame, type Sink, withMember } from './frame.ts'
import { Bucket, type ConnectionLimits, mostCommandsWaiting, ofAnonymous, ofUser, told } from './limits.ts'
import { type Incoming, idOf, protocol, readPacket } from './packets.ts'
import { knownToken, type Peer, type Peers } from './peers.ts'

/** A socket, and what its client asks over it. */

/** Whose a connection is, and what it may follow: anything where that is null. */
export interface Shown {
  readonly bearer: Bearer
  readonly topics: ReadonlySet<string> | null
}

/** What all sockets of a process share. */
export interface Switchboard {
  readonly feed: Feed
  readonly topics: Topics
  readonly ephemeral: Ephemeral
  readonly commands: Commands
  readonly peers: Peers
  /** What a token or a ticket shows; null for one that does not count. */
  readonly shownBy: (credential: { readonly token: string } | { readonly ticket: string }) => Promise<Shown | null>
  readonly verifyAgain: (token: KnownToken, now: Date) => Promise<Bearer | null>
  readonly cardOf: (guid: string) => Promise<unknown>
  /** Whether an application or a user has room for one more. */
  readonly hasRoom: (bearer: Bearer) => Promise<boolean>
  /** Closes a peer whose token was revoked while it was let in. */
  readonly confirm: (peer: Peer) => Promise<void>
  /** Sends what is gathered, soon. */
  readonly flushSoon: (connection: Connection) => void
  readonly onError: (error: unknown) => void
  readonly tally: Tally
  readonly heartbeatMs: number
}

const fullAt = 256 * 1024
const mostUnsent = 1024 * 1024
/** How long a result waits for what its command changed. (RT17) */
const settleMs = 2_000
/** So many refusals for their rate in so many milliseconds, and the client is sent away. */
const mostRefusals = 3
const refusalsMs = 10_000

type Packet<Type extends Incoming['type']> = Extract<Incoming, { readonly type: Type }>

export class Connection implements Sink, Peer {
  readonly guid = randomUUID()
  readonly door = 'socket'
  readonly address: string
  readonly connectedAt: Date
  readonly #board: Switchboard
  readonly #socket: WebSocket
  readonly #stream: Socket
  #bearer: Bearer | null = null
  #viewer: Viewer
  /** What alone it may follow; null for anything. */
  #topics: ReadonlySet<string> | null = null
  readonly #durable: DurablePart
  readonly #ephemeral: EphemeralPart
  /** Packets that wait for those before them. */
  #line: Promise<void> = Promise.resolve()
  #commands: Promise<void> = Promise.resolve()
  #commandsWaiting = 0
  readonly #bucket: Bucket
  readonly #refusedAt: number[] = []
  #queue: Frame[] = []
  #queuedBytes = 0
  #isOver = false
  /** That is still to be answered. */
  #ping: Buffer | null = null
  /** When something was heard last, and when it was asked for a sign of life. */
  heardAt: number
  pingAt = 0
  /** When it was seen last that bytes were taken, and how many had been. */
  #takenAt: number
  #taken = 0

  constructor(board: Switchboard, socket: WebSocket, stream: Socket, address: string, now: Date) {
    this.#board = board
    this.#socket = socket
    this.#stream = stream
    this.address = address
    this.connectedAt = now
    this.heardAt = this.#takenAt = now.getTime()
    this.#viewer = { credential: nobody, ip: address }
    this.#bucket = new Bucket(ofAnonymous.burst, now.getTime())
    this.#durable = new DurablePart(board.feed, this)
    this.#ephemeral = new EphemeralPart(board.ephemeral, this.guid, this)
    socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary))
    socket.on('pong', () => this.#hear())
    socket.on('ping', (data: Buffer) => this.#takePing(data))
    // What it says is in the close that follows.
    socket.on('error', () => {})
    socket.on('close', () => this.#release())
    stream.on('drain', () => this.#drained())
  }

  get bearer(): Bearer | null {
    return this.#bearer
  }

  get following(): number {
    return this.#durable.size + this.#ephemeral.size
  }

  /** Whether a command of it is under way. */
  get isWorking(): boolean {
    return !this.#isOver && this.#commandsWaiting > 0
  }

  get isFull(): boolean {
    return this.#unsent > fullAt
  }

  get #unsent(): number {
    return this.#stream.writableLength + this.#queuedBytes
  }

  get #limits(): ConnectionLimits {
    return this.#bearer === null ? ofAnonymous : ofUser
  }

  /** Greets, as whom the handshake has shown. */
  begin(shown: Shown | null): void {
    this.#send({
      ...{ type: 'hello', connection: this.guid, protocol, serverTime: formatInstant(new Date()) },
      ...{ heartbeatMs: this.#board.heartbeatMs, limits: told(shown === null ? ofAnonymous : ofUser) },
    })
    this.#board.peers.add(this)
    if (shown === null) return
    this.#become(shown)
    this.#board.confirm(this).catch(this.#board.onError)
  }

  // What leaves

  send(frame: Frame): void {
    if (this.#isOver) return
    if (this.#queue.length === 0) this.#board.flushSoon(this)
    this.#queue.push(frame)
    this.#queuedBytes += frame.text.length
  }

  endStep(): void {}

  /** Takes what is gathered, to be written in one piece. */
  takeQueue(): readonly Frame[] {
    const queue = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    return queue
  }

  write(bytes: Buffer): void {
    if (this.#isOver || !this.#stream.writable) return
    // A snapshot may be larger than what may wait; what comes behind it may not.
    if (this.#stream.writableLength > mostUnsent) this.close(4010)
    else this.#stream.write(bytes)
  }

  close(code: CloseCode): void {
    if (this.#isOver) return
    this.#board.tally.closed(code)
    const queue = this.takeQueue()
    if (code === 4010) {
      // It takes nothing: a farewell that waits behind the rest would never come.
      this.#release()
      this.#socket.close(code, reasonOf(code))
      this.#socket.terminate()
      return
    }
    for (const { bytes } of queue) this.#stream.write(bytes)
    this.#release()
    this.#socket.close(code, reasonOf(code))
  }

  /** Closes at once, whether or not its client agrees. */
  end(): void {
    this.close(4000)
    this.#socket.terminate()
  }

  /** Tells that the service ends, and when to come back. (RT32) */
  drain(reconnectInMs: number, closesInMs: number): void {
    this.#send({ type: 'draining', reconnectInMs, closesInMs })
    setTimeout(() => void this.#commands.finally(() => this.close(4000)), closesInMs).unref()
  }

  // What keeps it open

  /** Looks after the connection, once a second. (RT28, RT30) */
  watch(now: number, nextPing: () => number): void {
    const taken = this.#stream.bytesWritten - this.#stream.writableLength
    if (taken !== this.#taken || this.#stream.writableLength === 0) {
      this.#taken = taken
      this.#takenAt = now
    }
    // Whoever could not be told the present state when they had taken the rest is told now.
    if (!this.isFull && this.#durable.isBehind) this.#drained()
    const bearer = this.#bearer
    if (now - this.heardAt > patience.silenceMs) this.close(4009)
    else if (now - this.#takenAt > patience.takeMs) this.close(4010)
    else if (bearer !== null && bearer.expiresAt <= now) this.close(4100)
    else if (bearer === null && this.following === 0 && now - this.connectedAt.getTime() > patience.idleMs)
      this.close(4007)
    else if (now >= this.pingAt) {
      if (this.pingAt > 0) this.#socket.ping()
      this.pingAt = nextPing()
    }
  }

  #hear(): void {
    this.heardAt = Date.now()
  }

  /** Of pings that come together the last is answered, and none while what was sent is not taken. (RFC 6455 §5.5.3) */
  #takePing(data: Buffer): void {
    this.#hear()
    if (this.#ping === null) {
      setImmediate(() => {
        const ping = this.#ping
        this.#ping = null
        if (ping !== null && !this.#isOver && !this.isFull) this.#socket.pong(ping)
      })
    }
    this.#ping = data
  }

  #drained(): void {
    this.#durable.catchUp().catch(this.#board.onError)
    this.#ephemeral.catchUp()
  }

  // What comes

  #take(data: Buffer, isBinary: boolean): void {
    this.#hear()
    const { packetBytes, packetsPerSecond, burst } = this.#limits
    const packet = isBinary || data.length > packetBytes ? null : parse(data)
    if (packet === null) this.close(isBinary ? 4201 : data.length > packetBytes ? 4202 : 4200)
    else if (packet.type === 'publish' && this.#bearer !== null) this.#takeValue(packet)
    else if (!this.#bucket.take(packetsPerSecond, burst, Date.now())) this.#refuseForRate(packet)
    else if (packet.type === 'command') this.#takeCommand(packet)
    else this.#line = this.#line.then(() => this.#answer(packet))
  }

  /** Values are counted apart from other packets. */
  #takeValue(packet: Readonly<Record<string, unknown>>): void {
    const isTaken = this.#ephemeral.takes(Date.now())
    this.#line = this.#line.then(() => (isTaken ? this.#answer(packet) : this.#drop(packet)))
  }

  #drop(packet: Readonly<Record<string, unknown>>): void {
    try {
      this.#ephemeral.drop()
    } catch (error) {
      this.#sendError(error, idOf(packet), undefined)
    }
  }

  #refuseForRate(packet: Readonly<Record<string, unknown>>): void {
    const now = Date.now()
    this.#refusedAt.push(now)
    while ((this.#refusedAt[0] ?? now) < now - refusalsMs) this.#refusedAt.shift()
    if (this.#refusedAt.length >= mostRefusals) {
      this.close(4205)
      return
    }
    const problem = new Problem('limited', 'packets.limited', 'Packets come too fast; slow down.', {
      headers: { 'retry-after': '1' },
    })
    this.#sendError(problem, idOf(packet), undefined)
  }

  async #answer(packet: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#isOver) return
    try {
      await this.#handle(readPacket(packet))
    } catch (error) {
      this.#sendError(error, idOf(packet), undefined)
    }
  }

  async #handle(packet: Incoming): Promise<void> {
    switch (packet.type) {
      case 'authenticate':
        return this.#authenticate(packet)
      case 'subscribe':
        return this.#subscribe(packet)
      case 'unsubscribe':
        return this.#unsubscribe(packet)
      case 'publish':
        return this.#publish(packet)
      case 'ping':
        return this.#send({
          ...{ type: 'pong', ...withId(packet) },
          ...(packet.at === undefined ? {} : { at: packet.at }),
          serverTime: formatInstant(new Date()),
        })
      case 'command':
        throw new Error('commands have a line of their own')
    }
  }

  async #authenticate(packet: Packet<'authenticate'>): Promise<void> {
    const { token, ticket } = packet
    if ((token === undefined) === (ticket === undefined)) {
      throw new Problem('invalid', 'packet.invalid', 'Send one of `token` and `ticket`.')
    }
    const shown = await this.#board.shownBy(
      token === undefined ? { ticket: ticket as string } : { token: token.replace(/^Bearer +/i, '') },
    )
    if (shown === null) throw unauthenticated('token.invalid', 'The access token is not valid or no longer valid.')
    const { bearer } = shown
    if (!bearer.actor.scopes.has('ws:read')) {
      throw unauthenticated('token.scope_missing', 'The access token lacks the scope ws:read.')
    }
    const known = this.#bearer
    if (known !== null && known.actor.guid !== bearer.actor.guid) {
      throw conflict('connection.authenticated', 'The connection is another user’s; open one of your own.')
    }
    if (known === null && !(await this.#board.hasRoom(bearer))) return this.close(4204)
    const user = await this.#board.cardOf(bearer.actor.guid as string)
    if (this.#isOver) return
    this.#become(shown)
    await this.#board.confirm(this)
    if (this.#isOver) return
    this.#send({
      ...{ type: 'authenticated', ...withId(packet), user, scopes: [...bearer.actor.scopes] },
      ...{ expiresAt: formatInstant(new Date(bearer.expiresAt)), limits: told(this.#limits) },
    })
    await this.#durable.renew(this.#viewer)
    await this.#ephemeral.renew(this.#viewer)
  }

  #become({ bearer, topics }: Shown): void {
    this.#topics = topics
    if (this.#bearer === null) this.#bucket.fill(ofUser.burst)
    this.#board.peers.change(this, () => {
      this.#bearer = bearer
    })
    this.#viewer = { credential: { actor: bearer.actor, bare: false, fault: null }, ip: this.address }
  }

  async #subscribe(packet: Packet<'subscribe'>): Promise<void> {
    const { plain, facts, delayed } = withoutOptions(packet)
    const ephemeral = this.#ephemeral.find(plain, delayed)
    if (ephemeral !== null) return this.#subscribeEphemeral(ephemeral, packet)
    const topic = this.#board.topics.read(plain, delayed)
    this.#checkShown(topic)
    if (!this.#durable.isFollowed(topic, facts)) this.#checkRoom()
    await this.#durable.subscribe(topic, facts, packet, this.#viewer)
  }

  async #subscribeEphemeral(address: Address, packet: Packet<'subscribe'>): Promise<void> {
    this.#checkShown(address.topic)
    if (!this.#ephemeral.isFollowed(address)) this.#checkRoom()
    await this.#ephemeral.subscribe(address, packet, this.#viewer)
  }

  async #publish(packet: Packet<'publish'>): Promise<void> {
    const address = this.#ephemeral.find(packet.topic)
    if (address !== null) this.#checkShown(address.topic)
    await this.#ephemeral.publish(packet, this.#viewer)
  }

  /** Whoever came with a ticket for some topics sees no others. */
  #checkShown({ undelayedName }: Pick<Topic, 'undelayedName'>): void {
    if (this.#topics !== null && !this.#topics.has(undelayedName)) throw unknownTopic()
  }

  #checkRoom(): void {
    if (this.following < this.#limits.subscriptions) return
    throw new Problem(
      'limited',
      'subscriptions.limit',
      'There are as many subscriptions as there may be; end one first.',
    )
  }

  #unsubscribe(packet: Packet<'unsubscribe'>): void {
    const { plain, facts, delayed } = withoutOptions({ topic: packet.topic })
    const ephemeral = this.#ephemeral.find(plain, delayed)
    const topic = ephemeral?.topic ?? this.#board.topics.read(plain, delayed)
    const wasFollowed =
      ephemeral === null ? this.#durable.unsubscribe(topic, facts) : this.#ephemeral.unsubscribe(ephemeral)
    if (!wasFollowed) throw notSubscribed()
    const name = ephemeral === null ? nameOf({ topic, facts }) : topic.name
    this.#send({ type: 'ended', ...withId(packet), topic: name, reason: 'unsubscribed' })
  }

  #takeCommand(packet: Readonly<Record<string, unknown>>): void {
    if (this.#commandsWaiting >= mostCommandsWaiting) {
      const problem = new Problem(
        'limited',
        'commands.limit',
        'Too many commands wait; send the next when one is answered.',
      )
      this.#sendError(problem, idOf(packet), undefined)
      return
    }
    this.#commandsWaiting++
    this.#commands = this.#commands.then(() => this.#run(packet)).finally(() => this.#commandsWaiting--)
  }

  async #run(value: Readonly<Record<string, unknown>>): Promise<void> {
    let operation: Operation | undefined
    try {
      const packet = readPacket(value) as Packet<'command'>
      operation = this.#board.commands.find(packet.name)
      const rendered = await this.#board.commands.run(operation, packet, this.address, () => this.#credential())
      const settled = this.#durable.settle().then(() => true)
      const isSettled = await Promise.race([settled, wait(settleMs, false, { ref: false })])
      this.#sendResult(operation, packet, rendered, !isSettled)
    } catch (error) {
      this.#sendError(error, idOf(value), operation)
    }
  }

  /** What its token is worth now: over HTTP each request is looked at, too. */
  async #credential(): Promise<Credential> {
    if (this.#bearer === null) return nobody
    const bearer = await this.#board.verifyAgain(knownToken(this.#bearer), new Date())
    return bearer === null ? nobody : { actor: bearer.actor, bare: false, fault: null }
  }

  #sendResult(operation: Operation, packet: Packet<'command'>, { answer, body }: Rendered, isBehind: boolean): void {
    const text = body?.toString() ?? 'null'
    const { revision } = (body === null ? {} : JSON.parse(text)) as { readonly revision?: unknown }
    const rest = {
      ...{ type: 'result', ...withId(packet), status: answer.status || successStatus(operation) },
      replayed: answer.headers['idempotent-replayed'] === 'true',
      ...(typeof revision === 'number' ? { revision } : {}),
      ...(isBehind ? { behind: true } : {}),
    }
    this.send(withMember(rest, 'body', text))
  }

  #send(packet: object): void {
    this.send(new Frame(packet))
  }

  #sendError(error: unknown, id: string | number | undefined, operation: Operation | undefined): void {
    if (!(error instanceof Problem)) this.#board.onError(error)
    const problem = error instanceof Problem ? error : isUnreachable(error) ? notReady() : failed()
    const { code, message, data, headers } = problem
    const retryAfter = Number(headers['retry-after'])
    this.#send({
      ...{ type: 'error', ...(id === undefined ? {} : { id }) },
      ...{ status: problem.code === 'service.failed' ? 500 : statusOf(problem, operation), code, message },
      ...(data === undefined ? {} : { data }),
      ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}),
    })
  }

  #release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#durable.close()
    this.#ephemeral.close()
    this.#board.peers.remove(this)
  }
}

/** Milliseconds. (RT28, RT30) */
const patience = { silenceMs: 60_000, idleMs: 30_000, takeMs: 10_000 }

function withId({ id }: { readonly id?: string | number | undefined }): { readonly id?: string | number } {
  return id === undefined ? {} : { id }
}

function parse(data: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

type Asked = Pick<Packet<'subscribe'>, 'topic' | 'facts' | 'delayed'>

/** Topics in answers carry their options as members of the query; later packets may name them so. */
function withoutOptions({ topic, facts = false, delayed = false }: Asked) {
  const without = (name: string, option: string) =>
    name.replace(new RegExp(`([?&])${option}=1(&|$)`), (_all, before: string, after: string) =>
      after === '' ? '' : before,
    )
  const withoutFacts = without(topic, 'facts')
  const plain = without(withoutFacts, 'delayed')
  return { plain, facts: facts || withoutFacts !== topic, delayed: delayed || plain !== withoutFacts }
}

function notSubscribed(): Problem {
  return missing('topic.not_subscribed', 'The topic is not followed.')
}

function failed(): Problem {
  return new Problem('unavailable', 'service.failed', 'Something went wrong on our side.')
}
