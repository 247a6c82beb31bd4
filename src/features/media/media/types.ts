import type { MediaKind, MediaSubject, MediaType } from '../../../core/media.ts'
import type { Decoded } from '../../../infra/decoder/work.ts'

/** A picture, video or font that a user gave, as it was written anew. (media: Record and kinds) */
export interface Medium {
  readonly guid: string
  readonly kind: MediaKind
  readonly name: string
  readonly ownerGuid: string | null
  readonly tournament: { readonly guid: string; readonly id: string } | null
  readonly team: { readonly guid: string; readonly captainGuid: string } | null
  readonly platform: { readonly guid: string; readonly contextId: string } | null
  /** Whose room it takes; the records above are null where these are gone. */
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

/** A file that the service itself brought from elsewhere, written anew and not yet named by a record. */
export interface Brought {
  readonly kind: MediaKind
  /** SHA-256 of the file as it came, in hex. */
  readonly digest: string
  readonly decoded: Decoded
}

/** What an upload is for. At most one of tournament and platform; a team is one of the tournament. */
export interface Target {
  readonly kind: MediaKind
  readonly tournamentGuid: string | null
  readonly teamGuid: string | null
  readonly platformGuid: string | null
}

/** Whose room a medium takes. (M16) */
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

/** A field of a record that holds the address of a medium. */
export interface Usage {
  readonly subject: MediaSubject
  readonly subjectGuid: string
  readonly field: string
  /** A text of others shows it. */
  readonly isForeign: boolean
}

declare module '../../../core/operation.ts' {
  interface Resources {
    media: Medium
  }
}
