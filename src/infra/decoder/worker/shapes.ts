import type { MediaShape } from '../../../core/media.ts'

/** How a picture is made to fit its kind. (media: Record and kinds) */

interface Size {
  readonly width: number
  readonly height: number
}

/** What it is cut and made smaller to; null where it has not the sides for it. Nothing is made larger. */
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
      if (width < shape.leastWidth || width < height * least || width > height * most) return null
      return within({ width, height }, shape.mostWidth, Number.POSITIVE_INFINITY)
    }
    case 'fit':
      return within({ width, height }, shape.width, shape.height)
    case 'as_is':
      return { width, height }
  }
}

function within({ width, height }: Size, mostWidth: number, mostHeight: number): Size {
  const scale = Math.min(1, mostWidth / width, mostHeight / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
