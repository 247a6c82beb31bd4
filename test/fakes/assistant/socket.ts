import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import type { RawData, WebSocket } from 'ws'
import {
  User_ClientTypes as ClientTypes,
  type User,
  User_DiscordInfoSchema,
  UserSchema,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import { type Packet, PacketSchema } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'
import type { Effect, Rules } from './faults.ts'
import type { Identity, Tokens } from './tokens.ts'
import { kindOf, packetOf, type Seen } from './wire.ts'
import type { Peer, World } from './world.ts'

/** One WebSocket: converts frames to packets and back, applies faults, and records the packets. */

export interface SocketSetting {
  readonly world: World
  readonly tokens: Tokens
  readonly rules: Rules
  /** The current delay of sent packets, in milliseconds. */
  readonly latency: () => number
  readonly received: Seen[]
  readonly sent: Seen[]
  readonly act: (peer: Peer, packet: Packet) => void
}

const nobody: Identity = { kind: 'readonly', id: '', name: '', avatarUrl: '', platformId: '' }

export class SocketPeer implements Peer {
  identity: Identity = nobody
  joined: string | null = null
  readonly user: User = create(UserSchema, { guid: randomUUID(), clientType: ClientTypes.WebsocketConnection })
  /** Whether nothing is sent or handled any more. */
  isHalfOpen = false
  readonly #socket: WebSocket
  /** The stream under the WebSocket. */
  readonly #stream: Duplex
  readonly #setting: SocketSetting
  /** Packets that are sent or handled after the next one in the same direction. */
  readonly #held: { readonly received: (() => void)[]; readonly sent: (() => void)[] } = { received: [], sent: [] }
  #hasLeft = false
  #work: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, stream: Duplex, setting: SocketSetting) {
    this.#socket = socket
    this.#stream = stream
    this.#setting = setting
    socket.on('message', (data, isBinary) => this.#read(data, isBinary))
    socket.on('ping', (data) => {
      if (!this.isHalfOpen) socket.pong(data)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      // Requests that came before are still handled.
      this.#then(() => {
        this.#hasLeft = true
        setting.world.leave(this)
      })
    })
  }

  deliver(packet: Packet): void {
    if (!this.#isOpen) return
    const bytes = encoded(packet)
    const kind = kindOf(packet)
    const { rules, latency } = this.#setting
    const effect = rules.effectOn('sent', this.user.guid, kind)
    if (typeof effect === 'object') void setTimeout(() => this.#write(bytes, kind), effect.delayMs)
    else if (latency() > 0) void setTimeout(() => this.#affected(bytes, kind, effect), latency())
    else this.#affected(bytes, kind, effect)
  }

  /** Sends bytes that are no packet, or text. */
  write(data: Uint8Array | string): void {
    if (this.#isOpen) this.#socket.send(data)
  }

  cut(): void {
    this.#socket.terminate()
  }

  get #isOpen(): boolean {
    return !this.isHalfOpen && this.#socket.readyState === this.#socket.OPEN
  }

  #affected(bytes: Uint8Array, kind: string, effect: Effect | undefined): void {
    if (effect === 'drop') return
    if (effect === 'cutBefore') {
      this.cut()
      return
    }
    if (effect === 'cutWithin') {
      const frame = frameOf(bytes)
      this.#stream.end(frame.subarray(0, frame.length - Math.ceil(bytes.length / 2)))
      return
    }
    if (effect === 'reorder') {
      this.#held.sent.push(() => this.#write(bytes, kind))
      return
    }
    this.#write(bytes, kind)
    if (effect === 'duplicate') this.#write(bytes, kind)
    if (effect === 'cutAfter') this.#cutSoon()
    for (const write of this.#held.sent.splice(0)) write()
  }

  #write(bytes: Uint8Array, kind: string): void {
    if (!this.#isOpen) return
    this.#socket.send(bytes)
    this.#setting.sent.push(new Record(this.user.guid, kind, bytes))
    this.#setting.world.changed()
  }

  /** Sends a close frame after the written data; a plain end might overtake the data. */
  #cutSoon(): void {
    this.#socket.close(1011)
    const end = setTimeout(() => this.#socket.terminate(), 50)
    this.#socket.once('close', () => clearTimeout(end))
  }

  #read(data: RawData, isBinary: boolean): void {
    if (this.isHalfOpen) return
    const packet = isBinary ? decoded(data as Buffer) : null
    if (packet === null) {
      this.#socket.close(isBinary ? 1007 : 1003)
      return
    }
    const kind = kindOf(packet)
    const { received, rules, world } = this.#setting
    received.push({ connection: this.user.guid, kind, packet, at: performance.now() })
    this.#befall(packet, rules.effectOn('received', this.user.guid, kind))
    world.changed()
  }

  #befall(packet: Packet, effect: Effect | undefined): void {
    if (effect === 'drop') return
    if (effect === 'cutBefore') {
      this.cut()
      return
    }
    if (effect === 'reorder') {
      this.#held.received.push(() => this.#take(packet))
      return
    }
    if (typeof effect === 'object') {
      setTimeout(() => this.#take(packet), effect.delayMs)
      return
    }
    this.#take(packet)
    if (effect === 'duplicate') this.#take(packet)
    if (effect === 'cutAfter') this.#then(() => this.cut())
    for (const take of this.#held.received.splice(0)) take()
  }

  #take(packet: Packet): void {
    this.#then(async () => {
      if (packet.packet.case === 'heartbeat' || this.isHalfOpen || this.#hasLeft) return
      const identity = await this.#setting.tokens.identify(packet.token)
      if (identity === null) {
        this.deliver(unauthorised())
        return
      }
      this.#is(identity)
      this.#setting.act(this, packet)
    })
  }

  #is(identity: Identity): void {
    const { id: userId, name: username, avatarUrl, platformId } = identity
    this.identity = identity
    this.user.name = username
    this.user.platformId = platformId
    this.user.clientType = identity.kind === 'game' ? ClientTypes.Player : ClientTypes.WebsocketConnection
    this.user.discordInfo = create(User_DiscordInfoSchema, { userId, username, avatarUrl })
  }

  /** Runs pieces of work one after the other. */
  #then(work: () => void | Promise<void>): void {
    this.#work = this.#work.then(work)
  }
}

/** Frames a binary message like a server: whole and unmasked. (RFC 6455 5.2) */
function frameOf(bytes: Uint8Array): Buffer {
  const [length, size] = bytes.length < 126 ? [bytes.length, 0] : bytes.length < 65_536 ? [126, 2] : [127, 8]
  const header = Buffer.alloc(2 + size)
  header.writeUInt8(0x82)
  header.writeUInt8(length, 1)
  if (size === 2) header.writeUInt16BE(bytes.length, 2)
  if (size === 8) header.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([header, bytes])
}

/** The answer to a bad token. */
export function unauthorised(): Packet {
  const value = 'https://assistant.invalid/oauth/authorize'
  return packetOf({ case: 'command', value: { type: { case: 'discordAuthorize', value } } })
}

/** Decoded only on demand, because there may be thousands. */
class Record implements Seen {
  readonly connection: string
  readonly kind: string
  readonly at = performance.now()
  readonly #bytes: Uint8Array

  constructor(connection: string, kind: string, bytes: Uint8Array) {
    this.connection = connection
    this.kind = kind
    this.#bytes = bytes
  }

  get packet(): Packet {
    return fromBinary(PacketSchema, this.#bytes)
  }
}

/** Encodes a packet once, at its first delivery, because it contains records that change later. */
function encoded(packet: Packet): Uint8Array {
  const bytes = written.get(packet) ?? toBinary(PacketSchema, packet)
  written.set(packet, bytes)
  return bytes
}

const written = new WeakMap<Packet, Uint8Array>()

function decoded(data: Buffer): Packet | null {
  try {
    return fromBinary(PacketSchema, data)
  } catch {
    return null
  }
}
