import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Operation } from '../../../core/operation.ts'
import { conflict, Problem, unauthenticated } from '../../../core/problem.ts'
import { mayConnect } from '../../../core/scopes.ts'
import { formatInstant } from '../../../core/time.ts'
import { type Bearer, type Credential, credentialOf, isViewToken, nobody } from '../../http/admission.ts'
import { HostileUpdate } from '../documents/part.ts'
import type { Viewer } from '../durable/subscription.ts'
import { type CloseCode, reasonOf } from './closing.ts'
import type { Codec } from './codec.ts'
import { CommandQueue } from './command-queue.ts'
import { Following } from './following.ts'
import { Frame, type Parcel, type Sink } from './frame.ts'
import { Intake } from './intake.ts'
import { type ConnectionLimits, ofAnonymous, ofUser, told } from './limits.ts'
import { Outlet } from './outlet.ts'
import { type Incoming, idOf, type Packet, protocol, readPacket, withId } from './packets.ts'
import { expiredCode, holderOf, knownToken, type Peer } from './peers.ts'
import { refusalOf } from './refusals.ts'
import type { Shown, Switchboard } from './switchboard.ts'

/** A socket, and what its client asks over it. */

export class Connection implements Sink, Peer {
  readonly guid = randomUUID()
  readonly door = 'socket'
  readonly address: string
  readonly connectedAt: Date
  readonly #board: Switchboard
  readonly #socket: WebSocket
  /** null for packets as they are. */
  readonly #codec: Codec | null
  #bearer: Bearer | null = null
  #viewer: Viewer
  readonly #following: Following
  /** Answers to updates: several of them are stored together, and what is asked behind them is answered behind them. (RT17) */
  #updates: Promise<void> = Promise.resolve()
  readonly #commands: CommandQueue
  readonly #intake: Intake
  /** What waits until there is room for its answer. */
  readonly #forRoom: (() => void)[] = []
  readonly #outlet: Outlet
  #isOver = false
  /** That is still to be answered. */
  #ping: Buffer | null = null
  /** When something was heard last, and when it was asked for a sign of life. */
  heardAt: number
  pingAt = 0

  constructor(board: Switchboard, socket: WebSocket, stream: Socket, address: string, now: Date) {
    this.#board = board
    this.#socket = socket
    this.#codec = board.newCodec?.() ?? null
    this.address = address
    this.connectedAt = now
    this.heardAt = now.getTime()
    const flushSoon = () => board.flushSoon(this)
    this.#outlet = new Outlet(stream, flushSoon, () => this.#drained(), now.getTime())
    this.#viewer = { credential: nobody, ip: address }
    this.#following = new Following({
      ...{ ...board, connection: this.guid, sink: this },
      onHostile: () => this.close(4207),
    })
    this.#commands = new CommandQueue({
      ...{ commands: board.commands, address },
      credential: () => this.#credential(),
      room: () => this.#room(),
      settle: () => this.#following.settle(),
      send: (frame) => this.send(frame),
      refuse: (error, packet, operation) => this.#refuse(error, packet, operation),
    })
    this.#intake = new Intake({
      ...{ following: this.#following, commands: this.#commands, codec: this.#codec, now: now.getTime() },
      limits: () => this.#limits,
      answer: (packet) => this.#answer(packet),
      refuse: (error, packet) => this.#refuse(error, packet),
      close: (code) => this.close(code),
      leave: () => socket.close(1000),
    })
    socket.on('message', (data: Buffer, isBinary) => {
      this.#hear()
      this.#intake.take(data, isBinary)
    })
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

  get #limits(): ConnectionLimits {
    return limitsOf(this.#bearer)
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

  send(frame: Frame): void {
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
    this.#board.tally.closed(code)
    const farewell = this.#codec?.farewell(code) ?? null
    if (farewell !== null) this.#outlet.send(farewell)
    // Whoever takes nothing would never come to a farewell that waits behind the rest.
    if (code !== 4010) this.#outlet.flush()
    this.#release()
    this.#socket.close(code, reasonOf(code))
    if (code === 4010) this.#socket.terminate()
  }

  /** Closes at once, whether or not its client agrees. */
  end(): void {
    this.close(4000)
    this.#socket.terminate()
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
    if (!this.isFull && (this.#following.isBehind || this.#forRoom.length > 0)) this.#drained()
    const bearer = this.#bearer
    const idleAt = this.connectedAt.getTime() + patience.idleMs
    const isUnused = bearer === null && this.following === 0
    if (now - this.heardAt > patience.silenceMs && !this.#outlet.isTaken(now)) this.close(4009)
    else if (this.#outlet.isStuck(now)) this.close(4010)
    else if (bearer !== null && bearer.expiresAt <= now) this.close(expiredCode(bearer))
    else if (isUnused && now > idleAt) this.close(4007)
    else if (now >= this.pingAt) {
      if (this.pingAt > 0) this.#askForLife()
      this.pingAt = nextPing()
    }
    if (this.#isOver) return null
    if (this.#outlet.waiting > 0 || this.#forRoom.length > 0 || this.#following.isBehind) return now + waitingMs
    const ends = [this.pingAt, this.heardAt + patience.silenceMs + 1, ...(isUnused ? [idleAt + 1] : [])]
    return Math.min(...ends, bearer?.expiresAt ?? Number.POSITIVE_INFINITY)
  }

  #askForLife(): void {
    if (this.#codec === null) this.#outlet.ping()
    else this.#outlet.send(this.#codec.ping)
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
    if (this.isFull) return
    for (const goOn of this.#forRoom.splice(0)) goOn()
    this.#following.catchUp().catch(this.#board.onError)
  }

  /** Resolves when what waits is taken but for a little: whoever asks for more than they take waits for it. (RT30) */
  async #room(): Promise<void> {
    while (this.isFull && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#forRoom.push(resolve)
      })
    }
  }

  // What comes

  async #answer(packet: Readonly<Record<string, unknown>>): Promise<void> {
    if (packet.type !== 'update') await this.#updates
    if (this.#isOver) return
    try {
      await this.#handle(readPacket(packet))
    } catch (error) {
      this.#refuse(error, packet)
    }
  }

  async #handle(packet: Incoming): Promise<void> {
    switch (packet.type) {
      case 'authenticate':
        return this.#authenticate(packet)
      case 'subscribe':
        await this.#room()
        return this.#following.subscribe(packet, this.#viewer, this.#limits.subscriptions)
      case 'unsubscribe':
        this.#board.lookSoon(this)
        return this.#send({
          ...{ type: 'ended', ...withId(packet) },
          ...{ topic: this.#following.unsubscribe(packet), reason: 'unsubscribed' },
        })
      case 'publish':
        return this.#following.publish(packet, this.#viewer)
      case 'update':
        return this.#update(packet)
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

  /** It is answered once it is stored; those behind it do not wait for that. */
  #update(packet: Packet<'update'>): void {
    const storing = this.#following.update(packet, this.#viewer)
    storing.catch(() => {})
    this.#updates = this.#updates.then(async () => {
      try {
        const { topic, revision } = await storing
        this.#send({ type: 'accepted', ...withId(packet), topic, seq: packet.seq, revision })
      } catch (error) {
        this.#refuse(error, packet)
        if (error instanceof HostileUpdate) this.#following.endHostile(error)
      }
    })
  }

  async #authenticate(packet: Packet<'authenticate'>): Promise<void> {
    const shown = await this.#shownBy(packet)
    const { bearer } = shown
    const { guid, scopes, view } = bearer.actor
    if (!mayFollow(bearer)) throw unauthenticated('token.scope_missing', 'The access token lacks the scope ws:read.')
    const known = this.#bearer
    if (known !== null && holderOf(known) !== holderOf(bearer)) {
      throw conflict('connection.authenticated', 'The connection is another user’s; open one of your own.')
    }
    if (known === null && !(await this.#board.hasRoom(bearer))) return this.close(4204)
    const user = guid === null ? null : await this.#board.cardOf(guid)
    const overlay = view === null ? {} : { overlay: await this.#board.overlayOf(view) }
    if (this.#isOver) return
    this.#become(shown)
    await this.#board.confirm(this)
    if (this.#isOver) return
    this.#send({
      ...{ type: 'authenticated', ...withId(packet), user, scopes: [...scopes] },
      ...{ expiresAt: formatInstant(endOf(bearer)), limits: told(this.#limits), ...overlay },
    })
    await this.#following.renew(this.#viewer)
  }

  /** @throws Problem `packet.invalid`, `token.invalid`, `request.limited` */
  async #shownBy({ token, ticket, viewToken }: Packet<'authenticate'>): Promise<Shown> {
    const given = [token, ticket, viewToken].filter((each) => each !== undefined)
    if (given.length !== 1) {
      throw new Problem('invalid', 'packet.invalid', 'Send one of `token`, `ticket` and `viewToken`.')
    }
    const presented = viewToken ?? token?.replace(/^Bearer +/i, '')
    // Neither stands in the place of the other: whoever mixes them up is told so before anything is shown with them.
    const isMixedUp = presented !== undefined && isViewToken(presented) !== (viewToken !== undefined)
    const credential = presented === undefined ? { ticket: ticket as string } : { token: presented }
    const shown = isMixedUp ? null : await this.#board.shownBy(credential, this.address)
    if (shown !== null) return shown
    throw unauthenticated(
      'token.invalid',
      `The ${viewToken === undefined ? 'access' : 'view'} token is not valid or no longer valid.`,
    )
  }

  #become({ bearer, topics }: Shown): void {
    this.#following.allowed = topics
    if (this.#bearer === null) this.#intake.fill(limitsOf(bearer).burst)
    this.#board.peers.change(this, () => {
      this.#bearer = bearer
    })
    this.#viewer = { credential: credentialOf(bearer), ip: this.address }
    this.#board.lookSoon(this)
  }

  renew(bearer: Bearer): void {
    this.#viewer.credential = credentialOf(bearer)
    this.#board.lookSoon(this)
  }

  /** What its token is worth now. */
  async #credential(): Promise<Credential> {
    if (this.#bearer === null) return nobody
    const bearer = await this.#board.verifyAgain(knownToken(this.#bearer), new Date())
    return bearer === null ? nobody : credentialOf(bearer)
  }

  #send(packet: object): void {
    this.send(new Frame(packet))
  }

  #refuse(error: unknown, packet: Readonly<Record<string, unknown>>, operation?: Operation): void {
    if (!(error instanceof Problem)) this.#board.onError(error)
    this.#send(refusalOf(error, idOf(packet), operation))
  }

  #release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#following.close()
    for (const goOn of this.#forRoom.splice(0)) goOn()
    this.#board.peers.remove(this)
  }
}

/** Whoever shows an overlay may do as much as who has shown nothing. (RT29) */
function limitsOf(bearer: Bearer | null): ConnectionLimits {
  return bearer === null || bearer.actor.view !== null ? ofAnonymous : ofUser
}

/** Whether a credential opens connections at all. (RT18) */
export function mayFollow({ actor }: Bearer): boolean {
  return actor.view !== null || mayConnect(actor.scopes)
}

function endOf({ expiresAt }: Bearer): Date | null {
  return Number.isFinite(expiresAt) ? new Date(expiresAt) : null
}

/** So often it is seen whether what waits is taken. */
const waitingMs = 1_000

/** Milliseconds. (RT28) */
const patience = { silenceMs: 60_000, idleMs: 30_000 }
