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
  /** That of the assignment. */
  readonly tournamentGuid: string | null
  readonly test: boolean
  /** null where the stream was found on the server, and nobody told us by which key it came. */
  readonly keyGuid: string | null
  /** SHA-256: nginx-rtmp tells of the end by the key. */
  readonly keyDigest: Buffer | null
  /** As the server calls the connection. */
  readonly clientId: string | null
  readonly startedAt: Date
  /** When it ends by itself, and why. */
  readonly endsBy: Date | null
  readonly endedAt: Date | null
  readonly endReason: EndReason | null
  /** What has become of asking the server to end it; null where nobody asked. */
  readonly cut: CutStatus | null
  /** Of the publisher; 30 days. */
  readonly address: string | null
}

/** What a server last said of a live stream. */
export interface Health {
  readonly at: Date
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
  readonly videoKbps: number | null
  readonly audioKbps: number | null
  readonly readers: number | null
}
