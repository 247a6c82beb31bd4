import type { MediaShape } from '../../../core/media.ts'

/** How a picture is fitted to its kind. (media: Record and kinds) */

interface Size {
  readonly width: number
  readonly height: number
}

/** The size that a picture is cropped and scaled to; null when its sides do not fit the shape. Nothing is enlarged. */
export function sizeFor(shape: MediaShape, { width, height }: Size): Size | null {
  switch (shape.as) {
    case 'square': {
      const side = Math.min(width, height)
      if (side < shape.least) return null
      const kept = Math.min(side, shape.most)
      return { width: kept, height: kept }
    }
    case 'banner': {
      const [least, most] = shape.ratios
      if (width < shape.minWidth || width < height * least || width > height * most) return null
      return within({ width, height }, shape.maxWidth, Number.POSITIVE_INFINITY)
    }
    case 'fit':
      return within({ width, height }, shape.width, shape.height)
    case 'as_is':
      return { width, height }
  }
}

function within({ width, height }: Size, maxWidth: number, maxHeight: number): Size {
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
