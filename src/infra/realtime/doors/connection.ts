import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Operation } from '../../../core/operation.ts'
import { Problem, unauthenticated } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Bearer } from '../../http/admission.ts'
import { HostileUpdate } from '../documents/part.ts'
import { type CloseCode, endsRights, reasonOf } from './closing.ts'
import type { Codec } from './codec.ts'
import { CommandQueue } from './command-queue.ts'
import { Following } from './following.ts'
import { Frame, type Parcel, type Sink } from './frame.ts'
import { Heartbeat } from './heartbeat.ts'
import { Holder, limitsOf } from './holder.ts'
import { Intake } from './intake.ts'
import { told } from './limits.ts'
import { Line } from './line.ts'
import { Outlet } from './outlet.ts'
import { type Incoming, idOf, type Packet, protocol, readPacket, withId } from './packets.ts'
import { Parting, type PartingSocket } from './parting.ts'
import { expiredCode, type Peer } from './peers.ts'
import { refusalOf } from './refusals.ts'
import type { Shown, Switchboard } from './switchboard.ts'
import { Room } from './waiting.ts'

/** A socket, and what its client asks over it. */

export class Connection implements Sink, Peer {
  readonly guid = randomUUID()
  readonly door = 'socket'
  readonly address: string
  readonly connectedAt: Date
  readonly #board: Switchboard
  readonly #socket: PartingSocket
  /** null for packets as they are. */
  readonly #codec: Codec | null
  readonly #holder: Holder
  readonly #following: Following
  /** Answers to updates: several of them are stored together, and what is asked behind them is answered behind them. (RT17) */
  readonly #updates = new Line()
  readonly #commands: CommandQueue
  readonly #intake: Intake
  readonly #outlet: Outlet
  /** For answers: whoever asks for more than they take waits for it. (RT30) */
  readonly #room = new Room(() => !this.isFull || this.#isOver)
  readonly #heartbeat: Heartbeat
  readonly #parting: Parting
  /** It was opened by rights that are gone: nothing of what it follows is told any more, and how often that was so. (RT12) */
  #isStripped = false
  #untold = 0
  /** Why it ends, or is about to; null before. */
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
      ...{ ...board, connection: this.guid, sink: this },
      onHostile: () => this.close(4207),
    })
    this.#commands = new CommandQueue({
      ...{ commands: board.commands, address },
      credential: () => this.#holder.credential(),
      topics: () => this.#following.allowed,
      room: () => this.#room.wait(),
      settle: () => this.#following.settle(),
      send: (frame) => this.#sendOut(frame),
      refuse: (error, packet, operation) => this.#refuse(error, packet, operation),
    })
    this.#intake = new Intake({
      ...{ following: this.#following, commands: this.#commands, codec: this.#codec, now: now.getTime() },
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
    // What it says is in the close that follows.
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

  /** Whether a command of it is under way. */
  get isWorking(): boolean {
    return !this.#isOver && this.#commands.isWorking
  }

  get isFull(): boolean {
    return this.#outlet.isFull
  }

  get waiting(): number {
    return this.#outlet.waiting
  }

  /** Greets, as whom the handshake has shown. */
  begin(shown: Shown | null): void {
    this.#send({
      ...{ type: 'hello', connection: this.guid, protocol, serverTime: formatInstant(new Date()) },
      ...{ heartbeatMs: this.#board.heartbeatMs, limits: told(limitsOf(shown?.bearer ?? null)) },
    })
    this.#board.peers.add(this)
    if (shown === null) return
    this.#become(shown)
    this.#board.confirm(this).catch(this.#board.onError)
  }

  // What leaves

  /** Of what it follows. */
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

  /** Takes what is gathered, to be written in one piece. */
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
    // Whoever takes nothing takes no answers either.
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

  /** Closes at once, whether or not its client agrees. */
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
    // Whoever takes nothing would never come to a farewell that waits behind the rest.
    this.#leave(close, code !== 4010)
    if (code === 4010) this.#socket.terminate()
  }

  /** @param close sends the farewell, or answers that of the client */
  #leave(close: () => void, isFlushed = true): void {
    if (isFlushed) this.#outlet.flush()
    this.#release()
    this.#socket.onParting = null
    close()
  }

  /** Tells that the service ends, and when to come back. (RT32) */
  drain(reconnectInMs: number, closesInMs: number): void {
    this.#send({ type: 'draining', reconnectInMs, closesInMs })
    setTimeout(() => void this.#commands.idle.finally(() => this.close(4000)), closesInMs).unref()
  }

  // What keeps it open

  /** Looks after the connection; answers when that is due again, and null once it is over. (RT28, RT30) */
  watch(now: number, nextPing: () => number): number | null {
    if (this.#isOver) return null
    this.#outlet.watch(now)
    // Whoever could not be told the present state when they had taken the rest is told now.
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

  // What comes

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

  /** Refuses a packet in its turn: behind the answers to those before it, updates among them. (D83) */
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
          ...{ type: 'ended', ...withId(packet) },
          ...{ topic: this.#following.unsubscribe(packet), reason: 'unsubscribed' },
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

  /** It is answered once it is stored; those behind it do not wait for that. */
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
    // Its answer came when the rights to it were gone.
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
    // Whom that has sent away is told no more.
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

/** So often it is seen whether what waits is taken. */
const waitingMs = 1_000
/** So long a socket may be open for nothing. (RT28) */
const idleMs = 30_000
