import type { MediaKind, MediaSubject, MediaType } from '../../../core/media.ts'
import type { Decoded } from '../../../infra/decoder/requests.ts'

/** A picture, video or font that a user uploaded, re-encoded by the service. (media: Record and kinds) */
export interface Medium {
  readonly guid: string
  readonly kind: MediaKind
  readonly name: string
  readonly ownerGuid: string | null
  readonly tournament: { readonly guid: string; readonly id: string } | null
  readonly team: { readonly guid: string; readonly captainGuid: string } | null
  readonly platform: { readonly guid: string; readonly contextId: string } | null
  /** GUIDs of the owners of its quota. They stay when the records are deleted; then the members above are null. */
  readonly tournamentGuid: string | null
  readonly teamGuid: string | null
  readonly platformGuid: string | null
  readonly type: MediaType
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean
  readonly durationMs: number | null
  readonly color: string | null
  readonly digest: Buffer
  readonly uploadDigest: Buffer
  readonly usages: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A file that the service itself fetched and re-encoded, and that no record names yet. */
export interface Brought {
  readonly kind: MediaKind
  /** SHA-256 of the original file, in hex. */
  readonly digest: string
  readonly decoded: Decoded
}

/**
 * The kind of an upload and the place that it belongs to: a tournament, a platform, or neither. A team belongs to the
 * tournament.
 */
export interface Target {
  readonly kind: MediaKind
  readonly tournamentGuid: string | null
  readonly teamGuid: string | null
  readonly platformGuid: string | null
}

/** The user, tournament or platform whose quota a medium counts against. (M16) */
export interface Room {
  readonly of: 'user' | 'tournament' | 'platform'
  readonly guid: string
}

export interface Quota {
  readonly bytes: number
  readonly files: number
}

export interface Used {
  readonly usedBytes: number
  readonly usedFiles: number
}

/** A field of a record that contains the address of a medium. */
export interface Usage {
  readonly subject: MediaSubject
  readonly subjectGuid: string
  readonly field: string
  /** The field is in a text of another user. */
  readonly isForeign: boolean
}

declare module '../../../core/operation.ts' {
  interface Resources {
    media: Medium
  }
}
