import type { Manifest } from '../../../core/packages/manifest.ts'
import type { PackageRow } from '../../../core/packages/rows.ts'

/** Packages that were taken or brought. (P1) */

/** What a package holds: what everybody may read (`public`), everything, or everything but names. (P4) */
export const variants = ['public', 'full', 'anonymised'] as const
export type Variant = (typeof variants)[number]

export const directions = ['export', 'import'] as const
export type Direction = (typeof directions)[number]

export const signerStates = ['known', 'unknown', 'unsigned'] as const
export type SignerState = (typeof signerStates)[number]

/** The variants that other services may have made. */
export const packageVariants = ['public', 'full', 'anonymised'] as const
export type PackageVariant = (typeof packageVariants)[number]

export const importModes = ['copy', 'restore'] as const
export type ImportMode = (typeof importModes)[number]

export const importParts = ['all', 'setup'] as const
export type ImportParts = (typeof importParts)[number]

export interface TakenPackage {
  readonly guid: string
  readonly tournamentGuid: string
  readonly createdAt: Date
  readonly byGuid: string
  readonly variant: PackageVariant
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

/** What a package brings. It was checked: it is whole, by the signer that it says, and within the limits. (P6) */
export interface PackageSource {
  readonly manifest: Manifest
  readonly signer: SignerState
  /**
   * Rows of `data/{kind}.ndjson` in their order, with their lines, counted from 1; none for a kind that the package does
   * not have. Nothing is known of their members.
   * @throws Problem `package.row`
   */
  rows(kind: string): AsyncIterable<{ readonly line: number; readonly row: PackageRow }>
  /** The content of a file of `media/`; null where the package leaves it out. */
  medium(sha256: string): AsyncIterable<Uint8Array> | null
  /** Files of `data/` that this service does not know. */
  readonly skipped: readonly Skipped[]
}

/** What the caller of an import asks for. */
export interface ImportWish {
  readonly mode: ImportMode
  /** Short id of a copy. */
  readonly id: string | null
  readonly parts: ImportParts
  /** GUID. */
  readonly caller: string
  /**
   * Whether the copy is a rehearsal: everybody in it is a placeholder without accounts anywhere, its organiser stays, and
   * roles are brought. (R1)
   */
  readonly isRehearsal?: boolean
  /** Whether the package was made here just now, so that the copy has its files in common with the original. (R1) */
  readonly sharesFiles?: boolean
}

/** What was not taken, and of how many rows. */
export interface Skipped {
  readonly path: string
  /** null for whole files. */
  readonly member: string | null
  readonly rows: number
}

export interface ImportedPackage {
  readonly tournamentGuid: string
  /** Rows by kind. */
  readonly counts: Readonly<Record<string, number>>
  /** Of a copy: the new GUID of each old one. */
  readonly guids: Readonly<Record<string, string>>
  /** The people of the package, by the GUIDs that they have in it, and who they are here. */
  readonly people: readonly ImportedPerson[]
  readonly skipped: readonly Skipped[]
  /** Media that were encoded anew. */
  readonly changed: readonly { readonly path: string; readonly why: string }[]
  /** Kinds that an import never gives. */
  readonly notTaken: readonly string[]
}

export interface ImportedPerson {
  /** As the package calls them. */
  readonly guid: string
  /** The GUID of the user. */
  readonly user: string
  readonly state: 'account' | 'placeholder'
}
