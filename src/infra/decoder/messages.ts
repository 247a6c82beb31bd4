import { type MediaKind, type MediaType, mediaTypes } from '../../core/media.ts'
import type { CoverFault, PictureType } from '../pictures/data-uri.ts'
import type { MediaFault, VariantWanted } from './work.ts'

/**
 * What the service and the process that decodes say to each other: JSON, since the service must not have to trust how that process
 * writes it. Small pictures are told as base64; a file lies in the folder of the process, and what is made of it beside that.
 */

/** In the folder of the process. */
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
  /** Of what is ours: a drawing, a master. */
  | { readonly error: string }

/** With each answer, how much it has used since its start, and what it holds. */
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
const mostSide = 16_384
const mostDurationMs = 24 * 60 * 60 * 1000

/** Whether it can be what was made, whatever became of the process that says so. */
export function isMade({ type, width, height, isAnimated, durationMs, color }: Made): boolean {
  return (
    types.includes(type) &&
    isCount(width, mostSide) &&
    isCount(height, mostSide) &&
    typeof isAnimated === 'boolean' &&
    isCount(durationMs, mostDurationMs) &&
    (color === null || (typeof color === 'string' && /^#[\da-f]{6}$/.test(color)))
  )
}

function isCount(value: number | null, most: number): boolean {
  return value === null || (Number.isInteger(value) && value > 0 && value <= most)
}
