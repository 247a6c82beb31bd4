import { type MediaKind, type MediaType, mediaTypes } from '../../core/media.ts'
import type { CoverFault, PictureType } from '../pictures/data-uri.ts'
import type { MediaFault, VariantWanted } from './requests.ts'

/**
 * The messages between the service and the process that decodes. They are JSON, because the service must not trust a
 * binary format that the process writes. Small pictures are sent as base64; a larger file is in the folder of the
 * process, next to the file that is made from it.
 */

/** File names in the folder of the process. */
export const givenFile = 'given'
export const madeFile = 'made'

export type Asked =
  | { readonly work: 'cover'; readonly type: PictureType; readonly data: string }
  | { readonly work: 'drawing'; readonly svg: string }
  | { readonly work: 'medium'; readonly kind: MediaKind }
  | { readonly work: 'variant'; readonly wanted: VariantWanted }
  | { readonly work: 'mirror' }

export type Answered =
  | { readonly ready: true }
  | { readonly fault: CoverFault | MediaFault }
  | { readonly type: PictureType; readonly picture: string; readonly small: string }
  | { readonly drawn: string }
  | { readonly made: Made }
  /** A file of ours, such as a drawing or a master, could not be decoded. */
  | { readonly error: string }

/** Each answer, with the processor time used since the start of the process and its resident memory. */
export interface Told {
  readonly answered: Answered
  readonly processorMs: number
  readonly resident: number
}

export interface Made {
  readonly type: MediaType
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean
  readonly durationMs: number | null
  readonly color: string | null
}

const types: readonly unknown[] = Object.values(mediaTypes)
/** In pixels, of pictures and videos. */
export const maxSide = 16_384
const maxDurationMs = 24 * 60 * 60 * 1000

/** Whether the reported values are possible; the process may be compromised. */
export function isMade({ type, width, height, isAnimated, durationMs, color }: Made): boolean {
  return (
    types.includes(type) &&
    isCount(width, maxSide) &&
    isCount(height, maxSide) &&
    typeof isAnimated === 'boolean' &&
    isCount(durationMs, maxDurationMs) &&
    (color === null || (typeof color === 'string' && /^#[\da-f]{6}$/.test(color)))
  )
}

function isCount(value: number | null, most: number): boolean {
  return value === null || (Number.isInteger(value) && value > 0 && value <= most)
}
