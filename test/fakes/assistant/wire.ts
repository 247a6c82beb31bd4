import { randomUUID } from 'node:crypto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Packet, PacketSchema } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'

/** Builds packets of the server, and names them for tests. */

/** The body of a packet, as `{ case: 'request', value: … }`. */
export type Body = NonNullable<MessageInitShape<typeof PacketSchema>['packet']>

/** The sender of the server's own packets. */
export const serverGuid = '00000000-0000-0000-0000-000000000000'

export function packetOf(body: Body, from: string = serverGuid, id: string = randomUUID()): Packet {
  return create(PacketSchema, { id, from, packet: body })
}

/** `request.loadSong`, `command.playSong`, `response.join`, `push.songFinished`, `event.userLeft`, `heartbeat` and so on. */
export function kindOf({ packet }: Packet): string {
  switch (packet.case) {
    case 'request':
    case 'command':
      return `${packet.case}.${packet.value.type.case}`
    case 'response':
      return `response.${packet.value.details.case}`
    case 'push':
      return `push.${packet.value.data.case}`
    case 'event':
      return `event.${packet.value.changedObject.case}`
    default:
      return packet.case ?? 'nothing'
  }
}

/** A packet that was sent or received over a socket. */
export interface Seen {
  /** GUID of the connection. */
  readonly connection: string
  readonly kind: string
  readonly packet: Packet
  /** Milliseconds of `performance.now()`. */
  readonly at: number
}
