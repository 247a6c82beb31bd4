/** `edit`: an update that an editor sent. `replace`: an update that the service made from a whole document. */
export const updateKinds = ['edit', 'replace'] as const
export type UpdateKind = (typeof updateKinds)[number]

/**
 * `published`: shown by pages once. `named`: saved by an editor. `automatic`: saved by the service, which deletes the
 * oldest ones.
 */
export const versionKinds = ['published', 'named', 'automatic'] as const
export type VersionKind = (typeof versionKinds)[number]

/** A version without its document. */
export interface Version {
  readonly number: number
  readonly kind: VersionKind
  readonly name: string | null
  readonly by: string | null
  readonly at: Date
  readonly bytes: number
  /** Whether pages show this version now. */
  readonly current: boolean
}

/** Facts about a draft, without its document. */
export interface DraftFacts {
  readonly overlayGuid: string
  readonly generation: number
  readonly revision: number
  readonly seq: number
  readonly digest: Buffer
  readonly canvas: { readonly width: number; readonly height: number }
  readonly updatedAt: Date
  readonly updatedBy: string | null
  readonly published: {
    readonly number: number
    readonly at: Date
    readonly by: string | null
    readonly digest: Buffer
  } | null
}
