import type { Scene, SceneElement } from '../../../../src/engine/scenes/document.ts'

/** Where elements are on the canvas. x and y of an element count from the corner of its parent. */

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Elements = Scene['elements']

const maxDepth = 16

/** The corner from which an element counts. */
export function originOf(elements: Elements, { parent }: Pick<SceneElement, 'parent'>): { x: number; y: number } {
  const origin = { x: 0, y: 0 }
  let at = elements[parent ?? '']
  for (let depth = 0; at !== undefined && depth < maxDepth; depth++) {
    origin.x += at.x
    origin.y += at.y
    at = elements[at.parent ?? '']
  }
  return origin
}

export function boxOf(elements: Elements, id: string): Box | null {
  const element = elements[id]
  if (element === undefined) return null
  const { x, y } = originOf(elements, element)
  const { width, height } = element
  return { x: x + element.x, y: y + element.y, width, height }
}

export function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

/** Whether the element or something that contains it is locked. */
export function isLocked(elements: Elements, id: string): boolean {
  let at = elements[id]
  for (let depth = 0; at !== undefined && depth < maxDepth; depth++) {
    if (at.locked === true) return true
    at = elements[at.parent ?? '']
  }
  return false
}

/** Of the chosen elements those that no other chosen one contains: what contains them takes them along. */
export function outermost(elements: Elements, ids: readonly string[]): readonly string[] {
  const chosen = new Set(ids)
  return ids.filter((id) => {
    let at = elements[id]?.parent
    for (let depth = 0; at != null && depth < maxDepth; depth++) {
      if (chosen.has(at)) return false
      at = elements[at]?.parent
    }
    return elements[id] !== undefined
  })
}

export const alignments = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const
export type Alignment = (typeof alignments)[number]

/** Where each element goes: along the others, or along the canvas where it is alone. */
export function aligned(
  elements: Elements,
  ids: readonly string[],
  canvas: { readonly width: number; readonly height: number },
  to: Alignment,
): (readonly [id: string, { x: number } | { y: number }])[] {
  const boxes = ids.flatMap((id) => boxOf(elements, id) ?? [])
  const area = ids.length > 1 ? around(boxes) : { x: 0, y: 0, ...canvas }
  if (area === null) return []
  return ids.flatMap((id) => {
    const box = boxOf(elements, id)
    const element = elements[id]
    if (box === null || element === undefined) return []
    const isAcross = to === 'left' || to === 'center' || to === 'right'
    const share = to === 'left' || to === 'top' ? 0 : to === 'center' || to === 'middle' ? 0.5 : 1
    const [axis, length] = isAcross ? (['x', 'width'] as const) : (['y', 'height'] as const)
    const place = rounded(area[axis] + (area[length] - box[length]) * share - box[axis] + element[axis])
    return [[id, axis === 'x' ? { x: place } : { y: place }] as const]
  })
}

export const rounded = (value: number): number => Math.round(value * 10) / 10

export type Point = readonly [x: number, y: number]

/** The corners of a polygon, from the corner of its element. */
export function pointsOf({ props }: Pick<SceneElement, 'props'>): readonly Point[] {
  return props?.form === 'polygon' && Array.isArray(props.points) ? (props.points as readonly Point[]) : []
}

/** A line that something snaps to. */
export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
}

/** How far a box that is dragged still goes to stand in line with others, and with what. */
export function snapped(
  box: Box,
  others: readonly Box[],
  reach: number,
): { readonly x: number; readonly y: number; readonly guides: readonly Guide[] } {
  const along = (axis: 'x' | 'y', length: 'width' | 'height') => {
    const own = [0, 0.5, 1].map((share) => box[axis] + box[length] * share)
    let best: { by: number; at: number } | null = null
    for (const other of others) {
      for (const share of [0, 0.5, 1]) {
        const at = other[axis] + other[length] * share
        for (const edge of own) {
          const by = at - edge
          if (Math.abs(by) <= reach && (best === null || Math.abs(by) < Math.abs(best.by))) best = { by, at }
        }
      }
    }
    return best
  }
  const [x, y] = [along('x', 'width'), along('y', 'height')]
  const guides: Guide[] = []
  if (x !== null) guides.push({ axis: 'x', at: x.at })
  if (y !== null) guides.push({ axis: 'y', at: y.at })
  return { x: x?.by ?? 0, y: y?.by ?? 0, guides }
}
