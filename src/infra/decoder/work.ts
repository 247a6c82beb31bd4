import type { MediaKind, MediaType } from '../../core/media.ts'

/**
 * What the process that decodes is asked, and what it answers. Files are given by their names in its own folder, where it
 * writes what it made; the service reads nothing of what a user sent. (M6)
 */

/** Why a file is refused; each is a problem's code behind `media.`. (media: Operations) */
export const mediaFaults = ['undecodable', 'dimensions', 'too_complex', 'type_unsupported'] as const
export type MediaFault = (typeof mediaFaults)[number]

/** A file that was read, and written anew. */
export interface Decoded {
  readonly type: MediaType
  readonly bytes: number
  /** SHA-256 of what was written, in hex. */
  readonly digest: string
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean
  readonly durationMs: number | null
  /** Of a picture: `#rrggbb` */
  readonly color: string | null
}

/** A smaller file of a picture. (M18) */
export interface VariantWanted {
  /** Null for the card of 1200 × 630. */
  readonly width: number | null
  readonly format: 'webp' | 'png' | 'jpeg'
}

export interface MediaDecoder {
  /**
   * Reads `source`, and writes `target`. Both are absolute paths.
   * @param account GUID of whoever sent it; null where nobody did
   * @throws Problem `service.busy` where too many wait, or too many of the account (M6, D81)
   */
  decode(
    kind: MediaKind,
    source: string,
    target: string,
    account: string | null,
  ): Promise<Decoded | { readonly fault: MediaFault }>
  /** Of a master of ours. @throws Problem `service.busy` */
  variant(wanted: VariantWanted, source: string, target: string): Promise<{ readonly bytes: number }>
  /** A picture of somebody else's, as WebP that fits 512 × 512. (M26) @throws Problem `service.busy` */
  mirror(source: string, target: string): Promise<Decoded | { readonly fault: MediaFault }>
}
