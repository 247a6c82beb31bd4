import type { StreamProtocol } from '../../../infra/clients/media-servers/types.ts'

export const endReasons = [
  'done',
  'replaced',
  'key_revoked',
  'key_expired',
  'assignment_ended',
  'banned',
  'account_closed',
  'cut',
  'lost',
  'server_disabled',
] as const
export type EndReason = (typeof endReasons)[number]

export type CutStatus = 'requested' | 'confirmed' | 'failed'

/** A stream that is, or was, published to one of the servers. */
export interface StreamSession {
  readonly guid: string
  readonly userGuid: string
  readonly serverGuid: string
  readonly protocol: StreamProtocol
  /** `live/{userGuid}` */
  readonly path: string
  readonly assignmentGuid: string | null
  /** The tournament of the assignment. */
  readonly tournamentGuid: string | null
  readonly test: boolean
  /** null if the stream was found on the server, so that its key is not known. */
  readonly keyGuid: string | null
  /** SHA-256 of the key: nginx-rtmp reports the end of a stream by its key. */
  readonly keyDigest: Buffer | null
  /** The connection's ID on the server. */
  readonly clientId: string | null
  readonly startedAt: Date
  /** When the stream ends by itself; null for no end. */
  readonly endsBy: Date | null
  readonly endedAt: Date | null
  readonly endReason: EndReason | null
  /** The state of the request to the server to end the stream; null if there is none. */
  readonly cut: CutStatus | null
  /** The publisher's network address, kept for 30 days. */
  readonly address: string | null
}

/** A server's last report about a live stream. */
export interface Health {
  readonly at: Date
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
  readonly videoKbps: number | null
  readonly audioKbps: number | null
  readonly readers: number | null
}
