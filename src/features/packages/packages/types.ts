/** Packages that were taken or brought. (P1) */

/** The variants that are made. */
export const variants = ['full'] as const
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

/** What somebody asks to be in a package. */
export interface Wanted {
  readonly variant: Variant
  readonly isPrivate: boolean
  /** Whether the files of media are in it; otherwise they are only listed. */
  readonly hasMedia: boolean
}
