import type { ServerKind, StreamProtocol } from '../../../infra/clients/media-servers/types.ts'

/** Where encoders send to. */
export interface Ingest {
  readonly protocol: StreamProtocol
  readonly url: string
}

/** Where streams are watched: addresses with `{path}` in the place of the stream's path. */
export interface Play {
  readonly whep: string | null
  readonly llhls: string | null
  readonly hls: string | null
}

/** How a server is asked and told; its password is sealed. */
export interface StoredControl {
  readonly url: string
  readonly user: string | null
  readonly sealedPassword: string | null
  readonly vhost: string | null
  readonly app: string | null
}

/** A media server that may ask whom it may let publish. */
export interface StreamServer {
  readonly guid: string
  readonly name: string
  readonly kind: ServerKind
  readonly enabled: boolean
  /** Whoever has no assignment in force may only test. (S4) */
  readonly assignmentRequired: boolean
  readonly ingest: readonly Ingest[]
  readonly play: Play
  readonly control: StoredControl | null
  /** Its secret, and during a rotation the one before: OvenMediaEngine signs with it, so that a digest does not do. */
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  readonly previousSecretUntil: Date | null
  /** Where it may ask from, in CIDR notation; empty for anywhere. */
  readonly networks: readonly string[]
  readonly lastSeenAt: Date | null
  /** Why its control interface was of no use the last time; null while it is. */
  readonly controlError: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
