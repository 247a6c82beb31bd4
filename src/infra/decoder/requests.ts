import type { MediaKind, MediaType } from '../../core/media.ts'

/**
 * The requests to the process that decodes, and its answers. Files are given by their names in the process's folder,
 * where it also writes the result; the service itself parses no bytes of users. (M6)
 */

/** Why a file is refused; each is the code of a problem after `media.`. (media: Operations) */
export const mediaFaults = ['undecodable', 'dimensions', 'too_complex', 'type_unsupported'] as const
export type MediaFault = (typeof mediaFaults)[number]

/** A file that was decoded and written anew. */
export interface Decoded {
  readonly type: MediaType
  readonly bytes: number
  /** SHA-256 of the written file, in hex. */
  readonly digest: string
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean
  readonly durationMs: number | null
  /** The main colour of a picture, as `#rrggbb`. */
  readonly color: string | null
}

/** A smaller version of a picture. (M18) */
export interface VariantWanted {
  /** Null for the card of 1200 × 630. */
  readonly width: number | null
  readonly format: 'webp' | 'png' | 'jpeg'
}

export interface MediaDecoder {
  /**
   * Reads `source` and writes `target`. Both are absolute paths.
   * @param account GUID of the sender; null for the service itself
   * @throws Problem `service.busy` where too much work is waiting, in all or of the account (M6, D81)
   */
  decode(
    kind: MediaKind,
    source: string,
    target: string,
    account: string | null,
  ): Promise<Decoded | { readonly fault: MediaFault }>
  /** Makes a variant of a stored picture. @throws Problem `service.busy` */
  variant(wanted: VariantWanted, source: string, target: string): Promise<{ readonly bytes: number }>
  /** Makes a WebP that fits 512 × 512 of a picture from elsewhere. (M26) @throws Problem `service.busy` */
  mirror(source: string, target: string): Promise<Decoded | { readonly fault: MediaFault }>
}
