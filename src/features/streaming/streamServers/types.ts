import type { UnreachableReason } from '../../../infra/clients/http.ts'
import type { ServerKind, StreamProtocol } from '../../../infra/clients/media-servers/types.ts'

/** An address to which encoders send. */
export interface Ingest {
  readonly protocol: StreamProtocol
  readonly url: string
}

/** The addresses at which streams are watched, with `{path}` in place of the stream's path. */
export interface Play {
  readonly whep: string | null
  readonly llhls: string | null
  readonly hls: string | null
}

/** The control interface of a server; its password is encrypted. */
export interface StoredControl {
  readonly url: string
  readonly user: string | null
  readonly sealedPassword: string | null
  readonly vhost: string | null
  readonly app: string | null
}

/** A media server that asks the service which streams to let in. */
export interface StreamServer {
  readonly guid: string
  readonly name: string
  readonly kind: ServerKind
  readonly enabled: boolean
  /** Whether users without a current assignment may only test. (S4) */
  readonly assignmentRequired: boolean
  readonly ingest: readonly Ingest[]
  readonly play: Play
  readonly control: StoredControl | null
  /**
   * The encrypted secrets: the current one and, during a rotation, the previous one. A digest is not enough, as
   * OvenMediaEngine signs with the secret.
   */
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  readonly previousSecretUntil: Date | null
  /** The networks from which it may call, in CIDR notation; empty for any network. */
  readonly networks: readonly string[]
  readonly lastSeenAt: Date | null
  /** The last error of its control interface; null while it works. */
  readonly controlError: string | null
  readonly controlReason: UnreachableReason | null
  /** When it was first of no use, after it was of use. */
  readonly controlFailingSince: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
