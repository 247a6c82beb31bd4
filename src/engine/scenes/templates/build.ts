import type { Binding, Color, Motion, Scene, SceneElement, SceneRole } from '../document.ts'
import type { Format } from '../formatters.ts'
import { orderBetween } from '../order.ts'

/** Helpers to write the built-in templates as lists of elements, back to front. Ids and order keys are made here. */

export interface Part extends Omit<SceneElement, 'order' | 'parent'> {
  readonly inside?: readonly Part[]
}

/** x, y, width, height */
export type Box = readonly [number, number, number, number]

/** An id of letters and digits. It is the same each time that the template is made. */
function idOf(prefix: string, count: number): string {
  return `${prefix}${String(count).padStart(4, '0')}`
}

export interface SceneParts {
  readonly name: string
  readonly role: SceneRole
  readonly parts: readonly Part[]
  readonly transition?: Motion
}

/** The scenes by their ids, in the given order. */
export function scenesOf(scenes: readonly SceneParts[]): Readonly<Record<string, Scene>> {
  let order: string | null = null
  return Object.fromEntries(
    scenes.map(({ name, role, parts, transition = { kind: 'fade', durationMs: 400, easing: 'easeInOut' } }, index) => {
      order = orderBetween(order, null)
      const id = idOf('scene', index + 1)
      return [
        id,
        { name, role, order, transition, elements: elementsOf(parts, `e${String(index + 1).padStart(2, '0')}x`) },
      ]
    }),
  )
}

function elementsOf(parts: readonly Part[], prefix: string): Readonly<Record<string, SceneElement>> {
  const elements: Record<string, SceneElement> = {}
  let count = 0
  const add = (each: readonly Part[], parent: string | null) => {
    let order: string | null = null
    for (const { inside = [], ...element } of each) {
      order = orderBetween(order, null)
      const id = idOf(prefix, ++count)
      elements[id] = { ...element, order, ...(parent !== null && { parent }) }
      add(inside, id)
    }
  }
  add(parts, null)
  return elements
}

type More = Partial<Omit<Part, 'type' | 'name' | 'x' | 'y' | 'width' | 'height' | 'props'>>

function part(type: Part['type'], name: string, [x, y, width, height]: Box, props: object, more: More = {}): Part {
  return { type, name, x, y, width, height, props: props as Record<string, unknown>, ...more }
}

export interface TextProps {
  readonly text?: string
  readonly font?: string
  readonly weight?: number
  readonly size?: number
  readonly color?: Color
  readonly align?: 'left' | 'center' | 'right'
  readonly verticalAlign?: 'top' | 'middle' | 'bottom'
  readonly fit?: 'clip' | 'ellipsis' | 'shrink' | 'wrap'
  readonly lineHeight?: number
  readonly letterSpacing?: number
  readonly case?: 'none' | 'upper' | 'lower'
}

/** @param path the path or binding of its text */
export function text(name: string, box: Box, given: TextProps, path?: string | Binding, more: More = {}): Part {
  const { align = 'left', ...props } = given
  const bound = typeof path === 'string' ? bind('text', path) : path
  const bindings = bound === undefined ? more.bindings : { text: bound, ...more.bindings }
  return part(
    'text',
    name,
    box,
    // Text is at the left unless told otherwise; a document has no room to say so each time.
    { fit: 'shrink', color: 'var(text)', ...(align !== 'left' && { align }), ...props },
    {
      ...more,
      ...(bindings !== undefined && { bindings }),
    },
  )
}

export function bind(
  property: string,
  path: string,
  format: readonly Format[] = [],
  fallback?: Binding['fallback'],
): Binding {
  return { property, path, ...(format.length > 0 && { format }), ...(fallback !== undefined && { fallback }) }
}

export function format(name: string, ...args: NonNullable<Format['args']>): Format {
  return args.length === 0 ? { name } : { name, args }
}

export function shape(name: string, box: Box, fill: Color, more: More & { readonly props?: object } = {}): Part {
  const { props = {}, ...rest } = more
  return part('shape', name, box, { fill, ...props }, rest)
}

/** An image that is bound to an address. If there is none, the initials behind it are seen. */
export function image(name: string, box: Box, path: string, more: More = {}, fit = 'cover'): Part {
  return part('image', name, box, { fit }, { ...more, bindings: { address: bind('address', path) } })
}

export function drawn(
  type: 'mapCard' | 'pickBans' | 'bracket' | 'standings' | 'schedule' | 'casters',
  name: string,
  box: Box,
  props: object = {},
  more: More = {},
): Part {
  return part(type, name, box, props, more)
}

export function element(type: Part['type'], name: string, box: Box, props: object, more: More = {}): Part {
  return part(type, name, box, props, more)
}

export function group(name: string, box: Box, inside: readonly Part[], more: More = {}): Part {
  return part('group', name, box, {}, { ...more, inside })
}

/** A condition that hides the element while the value at the path is empty. */
export function onlyWith(path: string): NonNullable<SceneElement['conditions']> {
  return { absent: { when: { path, op: 'empty' }, set: { visible: false } } }
}
