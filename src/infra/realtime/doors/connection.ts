import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Operation } from '../../../core/operation.ts'
import { Problem, unauthenticated } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Bearer } from '../../http/admission.ts'
import { HostileUpdate } from '../documents/part.ts'
import { Room } from './backpressure.ts'
import { type CloseCode, endsRights, reasonOf } from './closing.ts'
import type { Codec } from './codec.ts'
import { CommandQueue } from './command-queue.ts'
import { Following } from './following.ts'
import { Frame, type Parcel, type Sink } from './frame.ts'
import { Parting, type PartingSocket } from './graceful-close.ts'
import { Heartbeat } from './heartbeat.ts'
import { Intake } from './incoming-messages.ts'
import { told } from './limits.ts'
import { Outlet } from './outgoing-packets.ts'
import { type Incoming, idOf, type Packet, protocol, readPacket, withId } from './packets.ts'
import { expiredCode, type Peer } from './peers.ts'
import { refusalOf } from './refusals.ts'
import { Line } from './serial-tasks.ts'
import { Holder, limitsOf } from './socket-identity.ts'
import type { Shown, Switchboard } from './switchboard.ts'

/** A socket, and the requests of its client. */

export class Connection implements Sink, Peer {
  readonly guid = randomUUID()
  readonly door = 'socket'
  readonly address: string
  readonly connectedAt: Date
  readonly #board: Switchboard
  readonly #socket: PartingSocket
  /** null for the service's own protocol. */
  readonly #codec: Codec | null
  readonly #holder: Holder
  readonly #following: Following
  /**
   * Answers to updates. Several updates are saved together; other packets behind them are processed after these
   * answers. (RT17)
   */
  readonly #updates = new Line()
  readonly #commands: CommandQueue
  readonly #intake: Intake
  readonly #outlet: Outlet
  /** Room for answers: a client that does not read its answers waits before the next request is processed. (RT30) */
  readonly #room = new Room(() => !this.isFull || this.#isOver)
  readonly #heartbeat: Heartbeat
  readonly #parting: Parting
  /**
   * Whether the connection's credential no longer counts: then no more events are sent. `#untold` counts the packets
   * that were dropped for it. (RT12)
   */
  #isStripped = false
  #untold = 0
  /** The code with which the connection is about to close; null before. */
  #closing: CloseCode | null = null
  #isOver = false

  constructor(board: Switchboard, socket: PartingSocket, stream: Socket, address: string, now: Date) {
    this.#board = board
    this.#socket = socket
    this.#codec = board.newCodec?.() ?? null
    this.address = address
    this.connectedAt = now
    const flushSoon = () => board.flushSoon(this)
    this.#outlet = new Outlet(stream, flushSoon, () => this.#drained(), now.getTime())
    this.#holder = new Holder(board, address)
    this.#following = new Following({
      ...board,
      connection: this.guid,
      sink: this,
      onHostile: () => this.close(4207),
    })
    this.#commands = new CommandQueue({
      commands: board.commands,
      address,
      credential: () => this.#holder.credential(),
      topics: () => this.#following.allowed,
      room: () => this.#room.wait(),
      settle: () => this.#following.settle(),
      send: (frame) => this.#sendOut(frame),
      refuse: (error, packet, operation) => this.#refuse(error, packet, operation),
    })
    this.#intake = new Intake({
      following: this.#following,
      commands: this.#commands,
      codec: this.#codec,
      now: now.getTime(),
      limits: () => this.#holder.limits,
      answer: (packet) => this.#answer(packet),
      decline: (error, packet) => this.#decline(error, packet),
      close: (code) => this.close(code),
      leave: () => socket.close(1000),
    })
    this.#parting = new Parting({
      begin: () => this.#intake.end(),
      isIdle: () => this.#intake.isIdle && this.#updates.length === 0 && !this.#commands.isWorking,
      idle: async () => {
        await this.#intake.idle
        await this.#updates.idle
        await this.#commands.idle
      },
    })
    socket.onParting = (leave) => this.#parting.begin(() => this.#leave(leave), true)
    this.#heartbeat = new Heartbeat(socket, {
      ask: () => (this.#codec === null ? this.#outlet.ping() : this.#outlet.send(this.#codec.ping)),
      mayAnswer: () => !this.#isOver && !this.isFull,
      now: now.getTime(),
    })
    socket.on('message', (data: Buffer, isBinary) => this.#intake.take(data, isBinary))
    // The `close` event that follows has the details.
    socket.on('error', () => {})
    socket.on('close', () => this.#release())
    stream.on('drain', () => this.#drained())
  }

  get bearer(): Bearer | null {
    return this.#holder.bearer
  }

  get following(): number {
    return this.#following.size
  }

  /** Whether a command is running. */
  get isWorking(): boolean {
    return !this.#isOver && this.#commands.isWorking
  }

  get isFull(): boolean {
    return this.#outlet.isFull
  }

  get waiting(): number {
    return this.#outlet.waiting
  }

  /** Sends the greeting, with the identity from the handshake. */
  begin(shown: Shown | null): void {
    this.#send({
      type: 'hello',
      connection: this.guid,
      protocol,
      serverTime: formatInstant(new Date()),
      heartbeatMs: this.#board.heartbeatMs,
      limits: told(limitsOf(shown?.bearer ?? null)),
    })
    this.#board.peers.add(this)
    if (shown === null) return
    this.#become(shown)
    this.#board.confirm(this).catch(this.#board.onError)
  }

  // Outgoing

  /** Sends a packet of a subscription. */
  send(frame: Frame): void {
    if (this.#isStripped) this.#untold++
    else this.#sendOut(frame)
  }

  #sendOut(frame: Frame): void {
    if (this.#isOver) return
    if (this.#codec === null) this.#outlet.send(frame)
    else for (const each of this.#codec.write(frame)) this.#outlet.send(each)
  }

  endStep(): void {}

  /** Removes and returns the queued packets, to be written together. */
  takeQueue(): readonly Frame[] {
    return this.#outlet.takeQueue()
  }

  write(parcel: Parcel): void {
    if (this.#isOver) return
    if (this.#outlet.isOverfull) this.close(4010)
    else {
      this.#outlet.write(parcel)
      if (this.#outlet.waiting > 0) this.#board.lookSoon(this)
    }
  }

  close(code: CloseCode): void {
    if (this.#isOver) return
    // A client that reads nothing does not read answers either.
    if (code === 4010) {
      this.#closeNow(code)
      return
    }
    this.#closing = code
    const hasRights = !endsRights(code)
    if (!hasRights) {
      this.#isStripped = true
      this.#following.close()
    }
    this.#parting.begin(() => this.#closeNow(code), hasRights)
  }

  /** Closes immediately, without waiting for the client. */
  end(): void {
    if (!this.#isOver) this.#closeNow(4000)
    this.#socket.terminate()
  }

  #closeNow(code: CloseCode): void {
    if (this.#isOver) return
    this.#board.tally.closed(code)
    const farewell = this.#codec?.farewell(code) ?? null
    if (farewell !== null) this.#outlet.send(farewell)
    const close = () => this.#socket.close(code, reasonOf(code))
    // A client that reads nothing would never receive a close frame queued after the rest.
    this.#leave(close, code !== 4010)
    if (code === 4010) this.#socket.terminate()
  }

  /** @param close sends the close frame, or answers the client's */
  #leave(close: () => void, isFlushed = true): void {
    if (isFlushed) this.#outlet.flush()
    this.#release()
    this.#socket.onParting = null
    close()
  }

  /** Announces that the service stops, and when to reconnect. (RT32) */
  drain(reconnectInMs: number, closesInMs: number): void {
    this.#send({ type: 'draining', reconnectInMs, closesInMs })
    setTimeout(() => void this.#commands.idle.finally(() => this.close(4000)), closesInMs).unref()
  }

  // Maintenance

  /** Periodic maintenance; returns the time of the next one, or null once the connection is over. (RT28, RT30) */
  watch(now: number, nextPing: () => number): number | null {
    if (this.#isOver) return null
    this.#outlet.watch(now)
    // Updates a slow client whose queue has drained but that has not got the present state yet.
    if (!this.isFull && (this.#following.isBehind || this.#room.isAwaited)) this.#drained()
    const { bearer } = this
    const idleAt = this.connectedAt.getTime() + idleMs
    const isUnused = bearer === null && this.following === 0
    if (this.#heartbeat.isSilent(now) && !this.#outlet.isTaken(now)) this.close(4009)
    else if (this.#outlet.isStuck(now)) this.close(4010)
    else if (bearer !== null && bearer.expiresAt <= now) this.close(expiredCode(bearer))
    else if (isUnused && now > idleAt) this.close(4007)
    else this.#heartbeat.look(now, nextPing)
    if (this.#isOver) return null
    if (this.#outlet.waiting > 0 || this.#room.isAwaited || this.#following.isBehind) return now + waitingMs
    const never = Number.POSITIVE_INFINITY
    return Math.min(this.#heartbeat.dueAt, isUnused ? idleAt + 1 : never, bearer?.expiresAt ?? never)
  }

  #drained(): void {
    if (this.isFull) return
    this.#room.lookAgain()
    this.#following.catchUp().catch(this.#board.onError)
  }

  // Incoming

  async #answer(packet: Readonly<Record<string, unknown>>): Promise<void> {
    if (packet.type !== 'update') await this.#updates.idle
    if (this.#isOver) return
    try {
      if (this.#isStripped && packet.type !== 'ping') throw rightsGone()
      await this.#handle(readPacket(packet))
    } catch (error) {
      this.#decline(error, packet)
    }
  }

  /** Refuses a packet after the answers to earlier packets, including updates. (D83) */
  #decline(error: unknown, packet: Readonly<Record<string, unknown>>): void {
    this.#updates.add(() => this.#refuse(error, packet))
  }

  async #handle(packet: Incoming): Promise<void> {
    switch (packet.type) {
      case 'authenticate':
        return this.#authenticate(packet)
      case 'subscribe':
        return this.#subscribe(packet)
      case 'unsubscribe':
        this.#board.lookSoon(this)
        return this.#send({
          type: 'ended',
          ...withId(packet),
          topic: this.#following.unsubscribe(packet),
          reason: 'unsubscribed',
        })
      case 'publish':
        return this.#following.publish(packet, this.#holder.viewer)
      case 'update':
        return this.#update(packet)
      case 'ping':
        return this.#send({ type: 'pong', ...withId(packet), at: packet.at, serverTime: formatInstant(new Date()) })
      case 'command':
        throw new Error('commands have a line of their own')
    }
  }

  /** The update is answered once it is saved; later updates do not wait for that. */
  #update(packet: Packet<'update'>): void {
    const storing = this.#following.update(packet, this.#holder.viewer)
    storing.catch(() => {})
    this.#updates.add(async () => {
      try {
        const { topic, revision } = await storing
        this.#send({ type: 'accepted', ...withId(packet), topic, seq: packet.seq, revision })
      } catch (error) {
        this.#refuse(error, packet)
        if (error instanceof HostileUpdate) this.#following.endHostile(error)
      }
    })
  }

  async #subscribe(packet: Packet<'subscribe'>): Promise<void> {
    await this.#room.wait()
    const untold = this.#untold
    await this.#following.subscribe(packet, this.#holder.viewer, this.#holder.limits.subscriptions)
    // The answer was dropped, because the rights ended meanwhile.
    if (this.#untold > untold) throw rightsGone()
  }

  async #authenticate(packet: Packet<'authenticate'>): Promise<void> {
    const shown = await this.#holder.read(packet)
    if (shown === null) return this.close(4204)
    const described = await this.#holder.describe(shown.bearer)
    if (this.#isOver) return
    this.#become(shown)
    const closing = this.#closing
    await this.#board.confirm(this)
    // If the check has closed the connection, nothing more is sent.
    if (this.#isOver || this.#closing !== closing) return
    this.#send({ type: 'authenticated', ...withId(packet), ...described })
    await this.#following.renew(this.#holder.viewer)
  }

  #become({ bearer, topics }: Shown): void {
    this.#following.allowed = topics
    if (this.bearer === null) this.#intake.fill(limitsOf(bearer).burst)
    this.#board.peers.change(this, () => this.#holder.become(bearer))
    this.#board.lookSoon(this)
  }

  renew(bearer: Bearer): void {
    this.#holder.renew(bearer)
    this.#board.lookSoon(this)
  }

  #send(packet: object): void {
    this.#sendOut(new Frame(packet))
  }

  #refuse(error: unknown, packet: Readonly<Record<string, unknown>>, operation?: Operation): void {
    if (!(error instanceof Problem)) this.#board.onError(error)
    this.#send(refusalOf(error, idOf(packet), operation))
  }

  #release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#following.close()
    this.#room.lookAgain()
    this.#board.peers.remove(this)
  }
}

function rightsGone(): Problem {
  return unauthenticated('token.invalid', 'The access token is not valid or no longer valid.')
}

/** Interval of the checks whether the client reads, in milliseconds. */
const waitingMs = 1_000
/** Maximum time of an anonymous socket without subscriptions, in milliseconds. (RT28) */
const idleMs = 30_000
