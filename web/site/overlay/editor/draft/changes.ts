import * as Y from 'yjs'
import type { Scene, SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { inOrder, orderBetween, ordersBetween } from '../../../../../src/engine/scenes/order.ts'
import type { Change } from './draft.ts'

/** Changes of the document, as steps of an editor. */

type Root = Y.Map<unknown>

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => letters[byte % letters.length]).join('')
}

/** Members of elements that are maps, so that editors of different members do not overwrite each other. (OV9) */
const maps: ReadonlySet<string> = new Set([
  ...['props', 'mask', 'border', 'shadow', 'animation', 'bindings', 'conditions'],
])

function mapOf(value: object): Y.Map<unknown> {
  return new Y.Map(Object.entries(value).filter(([, each]) => each !== undefined))
}

function elementMap(element: SceneElement): Y.Map<unknown> {
  return new Y.Map(
    Object.entries(element)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, maps.has(name) ? mapOf(value as object) : value]),
  )
}

function inside(root: Root, ...place: readonly string[]): Y.Map<unknown> | undefined {
  let found: unknown = root
  for (const name of place) found = found instanceof Y.Map ? found.get(name) : undefined
  return found instanceof Y.Map ? found : undefined
}

const elementsOf = (root: Root, scene: string) => inside(root, 'scenes', scene, 'elements')

function put(map: Y.Map<unknown>, name: string, value: unknown): void {
  if (value === undefined) map.delete(name)
  else if (map.get(name) !== value) map.set(name, value)
}

/** Members by element; a member `props.color` is in a map, and `undefined` removes one. */
export type Members = Readonly<Record<string, unknown>>

export function setMembers(scene: string, changes: Iterable<readonly [id: string, Members]>): Change {
  return (root) => {
    for (const [id, members] of changes) {
      const element = elementsOf(root, scene)?.get(id)
      if (!(element instanceof Y.Map)) continue
      for (const [name, value] of Object.entries(members)) {
        const [part = '', member] = name.split('.')
        if (member === undefined) put(element, part, value)
        else setIn(element, part, member, value)
      }
    }
  }
}

function setIn(element: Y.Map<unknown>, part: string, member: string, value: unknown): void {
  const found = element.get(part)
  if (found instanceof Y.Map) put(found, member, value)
  else if (value !== undefined) element.set(part, mapOf({ [member]: value }))
}

export function addElements(scene: string, elements: Iterable<readonly [id: string, SceneElement]>): Change {
  return (root) => {
    for (const [id, element] of elements) elementsOf(root, scene)?.set(id, elementMap(element))
  }
}

/** An element with all that it contains, those inside first. */
export function withInner(scene: Scene, ids: readonly string[]): string[] {
  const inner = ids.flatMap((id) =>
    withInner(
      scene,
      Object.keys(scene.elements).filter((each) => scene.elements[each]?.parent === id),
    ),
  )
  return [...new Set([...inner, ...ids])]
}

export function removeElements(scene: string, ids: Iterable<string>): Change {
  return (root) => {
    for (const id of ids) elementsOf(root, scene)?.delete(id)
  }
}

/** The most of one change, as characters of JSON, so that it stays below what the service takes at once. */
const maxChange = 24_000

/** Parts of a list that are not too large for one change. */
export function inParts<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item[][] {
  const parts: Item[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const item of items) {
    const more = sizeOf(item)
    if (size + more > maxChange) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(item)
    size += more
  }
  return parts
}

export function additions(scene: string, entries: readonly (readonly [string, SceneElement])[]): Change[] {
  const parents = new Map(entries.map(([id, { parent }]) => [id, parent ?? null]))
  const depthOf = (id: string, most = 16): number => {
    const parent = parents.get(id) ?? null
    return parent === null || most === 0 ? 0 : 1 + depthOf(parent, most - 1)
  }
  // What contains others comes before them.
  const sorted = entries.toSorted(([one], [other]) => depthOf(one) - depthOf(other))
  return inParts(sorted, (entry) => JSON.stringify(entry).length).map((part) => addElements(scene, part))
}

export function removals(id: string, scene: Scene, ids: readonly string[]): Change[] {
  return inParts(withInner(scene, ids), (each) => JSON.stringify(scene.elements[each]).length).map((part) =>
    removeElements(id, part),
  )
}

/** The order of something that comes last. */
export function lastOrder(all: Readonly<Record<string, { readonly order: string }>>): string {
  return orderBetween(inOrder(all).at(-1)?.[1].order ?? null, null)
}

/** The same elements under other ids, in the place of the given order. */
export function copiesOf(
  elements: readonly (readonly [string, SceneElement])[],
  into: Readonly<Record<string, SceneElement>>,
  by: number,
): (readonly [string, SceneElement])[] {
  const ids = new Map(elements.map(([id]) => [id, newId()]))
  const sorted = inOrder(Object.fromEntries(elements))
  const orders = ordersBetween(inOrder(into).at(-1)?.[1].order ?? null, null, sorted.length)
  return sorted.map(([id, element], at) => {
    const parent = ids.get(element.parent ?? '')
    const moved = parent === undefined ? { x: element.x + by, y: element.y + by } : {}
    // Of a parent that is not copied too, the copy leaves.
    return [ids.get(id) as string, { ...element, ...moved, parent: parent ?? null, order: orders[at] as string }]
  })
}

export function setScene(id: string, members: Readonly<Record<string, unknown>>): Change {
  return (root) => {
    const scene = inside(root, 'scenes', id)
    if (scene !== undefined) for (const [name, value] of Object.entries(members)) put(scene, name, value)
  }
}

export function addScene(id: string, { elements: _, ...head }: Scene): Change {
  return (root) => inside(root, 'scenes')?.set(id, new Y.Map([...Object.entries(head), ['elements', new Y.Map()]]))
}

export function removeScene(id: string): Change {
  return (root) => inside(root, 'scenes')?.delete(id)
}

/** Moves a record between its neighbours; where there is no room, all get new orders. */
export function moved(
  all: Readonly<Record<string, { readonly order: string }>>,
  id: string,
  steps: number,
): ReadonlyMap<string, string> {
  const ids = inOrder(all).map(([each]) => each)
  const from = ids.indexOf(id)
  const to = Math.max(0, Math.min(ids.length - 1, from + steps))
  if (from === -1 || to === from) return new Map()
  ids.splice(from, 1)
  ids.splice(to, 0, id)
  const orderOf = (at: number) => all[ids[at] ?? '']?.order ?? null
  try {
    return new Map([[id, orderBetween(orderOf(to - 1), orderOf(to + 1))]])
  } catch {
    const orders = ordersBetween(null, null, ids.length)
    return new Map(ids.map((each, at) => [each, orders[at] as string]))
  }
}

/** Members of a part of the whole document: its variables, its fonts or its canvas. */
export function setTop(part: 'canvas' | 'variables' | 'fonts', members: Readonly<Record<string, unknown>>): Change {
  return (root) => {
    const found = root.get(part)
    if (!(found instanceof Y.Map)) root.set(part, mapOf(members))
    else for (const [name, value] of Object.entries(members)) put(found, name, value)
  }
}
