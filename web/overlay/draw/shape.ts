import { h, style } from '../dom.ts'
import { colorOf, list, number, oneOf, type Props, record, type Variables } from '../model/props.ts'
import type { Context, Painter, Size } from './context.ts'

export class ShapePainter implements Painter {
  // The element has the mask; its child has the form and the fill.
  readonly #form = h('div', 'form')
  readonly node = h('div', 'shape', this.#form)

  update(props: Props, { reading: { variables } }: Context, size: Size): boolean {
    const form = oneOf(props, 'form', ['rectangle', 'ellipse', 'line', 'polygon'], 'rectangle')
    const fill = colorOf(props.fill, variables)
    const across = form === 'line' ? Math.max(1, Math.min(size.width, size.height)) : 0
    style(this.#form, {
      background: gradientOf(record(props, 'gradient'), variables) ?? fill ?? 'transparent',
      'border-radius': form === 'ellipse' ? '50%' : form === 'line' ? `${across / 2}px` : null,
      'clip-path': form === 'polygon' ? polygonOf(list(props, 'points'), size) : null,
    })
    return false
  }
}

/** @returns null when there are fewer than two valid stops */
export function gradientOf(gradient: Props, variables: Variables): string | null {
  const stops = list(gradient, 'stops')
    .slice(0, 8)
    .flatMap((stop) => {
      if (typeof stop !== 'object' || stop === null) return []
      const color = colorOf((stop as Props).color, variables)
      return color === null ? [] : [`${color} ${Math.round(number(stop as Props, 'at', 0, 0, 1) * 1_000) / 10}%`]
    })
  return stops.length < 2
    ? null
    : `linear-gradient(${number(gradient, 'angle', 180, -360, 360)}deg, ${stops.join(', ')})`
}

function polygonOf(points: readonly unknown[], { width, height }: Size): string | null {
  const corners = points.slice(0, 32).flatMap((point) => {
    if (!Array.isArray(point)) return []
    const [x, y] = point as readonly unknown[]
    return typeof x === 'number' && typeof y === 'number' ? [`${percent(x, width)} ${percent(y, height)}`] : []
  })
  return corners.length < 3 ? null : `polygon(${corners.join(', ')})`
}

/** A point in pixels of the element, as a percentage. */
function percent(at: number, of: number): string {
  return `${Math.round((at / of) * 10_000) / 100}%`
}

/** The CSS of an element's mask; null values for no mask. */
export function maskOf(
  mask: Props,
  { width, height }: Size,
): Readonly<Record<'clip-path' | 'border-radius' | 'overflow', string | null>> {
  const shape = oneOf(mask, 'shape', ['none', 'rectangle', 'ellipse', 'parallelogram'], 'none')
  const radius = number(mask, 'radius', 0, 0, 4_096)
  if (shape === 'parallelogram') {
    const angle = (number(mask, 'skew', 12, -60, 60) * Math.PI) / 180
    const shift = Math.min(width, Math.abs(Math.tan(angle) * height))
    const [near, far] = [percent(shift, width), percent(width - shift, width)]
    const leans = `polygon(${near} 0, 100% 0, ${far} 100%, 0 100%)`
    const leansBack = `polygon(0 0, ${far} 0, 100% 100%, ${near} 100%)`
    return { 'clip-path': angle >= 0 ? leans : leansBack, 'border-radius': null, overflow: null }
  }
  if (shape === 'none' && radius === 0) return { 'clip-path': null, 'border-radius': null, overflow: null }
  return { 'clip-path': null, 'border-radius': shape === 'ellipse' ? '50%' : `${radius}px`, overflow: 'hidden' }
}
