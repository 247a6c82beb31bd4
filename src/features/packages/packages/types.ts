import type { Manifest } from '../../../core/packages/manifest.ts'

/** Packages that were taken or brought. (P1) */

/** What a package holds: what everybody may read (`public`), everything, or everything but names. (P4) */
export const variants = ['public', 'full', 'anonymised'] as const
export type Variant = (typeof variants)[number]

export const directions = ['export', 'import'] as const
export type Direction = (typeof directions)[number]

export const signerStates = ['known', 'unknown', 'unsigned'] as const
export type SignerState = (typeof signerStates)[number]

export interface TakenPackage {
  readonly guid: string
  readonly tournamentGuid: string
  readonly createdAt: Date
  readonly byGuid: string
  readonly variant: Variant
  readonly isPrivate: boolean
  readonly bytes: number
  /** SHA-256 of the whole file. */
  readonly digest: Buffer
  readonly direction: Direction
  readonly signer: SignerState
}

/** How often a package was taken without signing in. */
export interface Downloads {
  /** ISO 8601 date, in UTC. */
  readonly day: string
  readonly count: number
}

/** What somebody asks to be in a package. */
export interface Wanted {
  readonly variant: Variant
  readonly isPrivate: boolean
  /** Whether the files of media are in it; otherwise they are only listed. */
  readonly hasMedia: boolean
}

/** What a package brings, checked by the intake: whole, signed or not, within the limits. (P6) */
export interface PackageSource {
  readonly manifest: Manifest
  readonly signer: SignerState
  /**
   * Rows of `data/{kind}.ndjson`, in order, with their lines from 1; from the first one at each call. Each is an object of
   * JSON; nothing more is known of it.
   */
  rows(kind: string): AsyncIterable<{ readonly line: number; readonly row: Readonly<Record<string, unknown>> }>
  /** A file of `media/`; null where the package lists it as omitted. */
  medium(sha256: string): AsyncIterable<Uint8Array> | null
}

export interface ImportWish {
  readonly mode: 'copy' | 'restore'
  /** Short id of a copy. */
  readonly id: string | null
  readonly parts: 'all' | 'setup'
  /** GUID. */
  readonly caller: string
}

export interface ImportedPackage {
  readonly tournamentGuid: string
  readonly counts: Readonly<Record<string, number>>
  /** Of a copy, the new GUIDs by the old ones; empty for what was restored. */
  readonly guids: Readonly<Record<string, string>>
  readonly people: readonly ImportedPerson[]
  /** What is not known here. */
  readonly skipped: readonly { readonly path: string; readonly member: string | null; readonly rows: number }[]
  /** Media that were encoded anew. */
  readonly changed: readonly { readonly path: string; readonly why: string }[]
  /** Kinds whose rows are known here and were not taken. */
  readonly notTaken: readonly string[]
}

export interface ImportedPerson {
  /** As the package calls them. */
  readonly guid: string
  /** The GUID of the user. */
  readonly user: string
  readonly state: 'account' | 'placeholder'
}
