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
