/** `edit`: as an editor sent it. `replace`: what the service made of a whole document. */
export const updateKinds = ['edit', 'replace'] as const
export type UpdateKind = (typeof updateKinds)[number]

/** `published`: what pages showed. `named`: kept by an editor. `automatic`: kept by the service, the oldest of which go. */
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
  /** Whether it is the one that pages show. */
  readonly current: boolean
}

/** What is told of a document beside what is in it. */
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
