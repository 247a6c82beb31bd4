import * as Y from 'yjs'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'

/**
 * The co-edited form of documents. There are maps down to the members of elements, so that users who change different
 * members do not overwrite each other; everything below is one value. There are no lists, no rich text and no
 * subdocuments. This module also runs in browsers. (OV9)
 */

/** A map: `members` gives the shapes of named members, `each` the shape of all others. */
interface MapShape {
  readonly members?: Readonly<Record<string, Shape>>
  readonly each?: Shape
}

/** `value`: a single value of any content. */
type Shape = 'value' | MapShape

const values: MapShape = { each: 'value' }
const element: MapShape = {
  members: {
    props: values,
    mask: values,
    border: values,
    shadow: values,
    animation: values,
    bindings: values,
    conditions: values,
  },
  each: 'value',
}
const scene: MapShape = { members: { elements: { each: element } }, each: 'value' }
const root: MapShape = {
  members: { canvas: values, variables: values, fonts: values, scenes: { each: scene } },
}

/** The name of the root map. */
export const rootName = 'root'

/** A document without `schemaVersion`, which the service adds. (overlays: Details, 3) */
export type Draft = Omit<SceneDocument, 'schemaVersion'>

export function rootOf(doc: Y.Doc): Y.Map<unknown> {
  return doc.getMap(rootName)
}

/** @throws TypeError if a part has another shape, which no judged document has */
export function documentOf(doc: Y.Doc): SceneDocument {
  return { schemaVersion: 1, ...(read(rootOf(doc), root) as Draft) }
}

/** Returns the JSON at a place of the document; undefined if there is none. @throws TypeError as `documentOf` */
export function valueAt(doc: Y.Doc, place: readonly string[]): unknown {
  let shape: Shape | undefined = root
  let found: unknown = rootOf(doc)
  for (const name of place) {
    if (shape === undefined || shape === 'value' || !(found instanceof Y.Map))
      throw new TypeError('is of another shape')
    shape = shapeOf(shape, name)
    found = found.get(name)
    if (found === undefined) return undefined
  }
  if (shape === undefined) throw new TypeError('is not known here')
  return read(found, shape)
}

/** Returns a scene without its elements. @throws TypeError as `documentOf` */
export function sceneHeadAt(doc: Y.Doc, id: string): Readonly<Record<string, unknown>> {
  const found = mapAt(doc, ['scenes', id])
  if (found === null) throw new TypeError('is of another shape')
  return members(
    found,
    [...found.keys()].filter((name) => name !== 'elements'),
    () => 'value',
  )
}

/** Returns null if there is no map. */
export function mapAt(doc: Y.Doc, place: readonly string[]): Y.Map<unknown> | null {
  let found: unknown = rootOf(doc)
  for (const name of place) found = found instanceof Y.Map ? found.get(name) : undefined
  return found instanceof Y.Map ? found : null
}

/** Sorts members by name, so that equal documents have equal texts. */
function read(found: unknown, shape: Shape): unknown {
  if (shape === 'value') {
    if (found instanceof Y.AbstractType) throw new TypeError('must be a value')
    return found
  }
  if (!(found instanceof Y.Map)) throw new TypeError('must be a map')
  return members(found, [...found.keys()], (name) => shapeOf(shape, name))
}

function members(map: Y.Map<unknown>, names: readonly string[], shapeFor: (name: string) => Shape | undefined) {
  const entries = [...names].sort().map((name) => {
    const shape = shapeFor(name)
    if (shape === undefined) throw new TypeError('has a member that is not known')
    return [name, read(map.get(name), shape)] as const
  })
  return Object.fromEntries(entries)
}

function shapeOf(shape: MapShape, name: string): Shape | undefined {
  return shape.members !== undefined && Object.hasOwn(shape.members, name) ? shape.members[name] : shape.each
}

/**
 * Turns a document into the given one by the fewest changes, in one transaction. Other editors see only these changes,
 * and can undo them. Unchanged parts keep their history, so that simultaneous edits of them survive.
 * (overlays: Operations, restore)
 */
export function changeInto(doc: Y.Doc, document: Draft, origin: unknown = null): void {
  const { canvas, variables, fonts, scenes } = document
  doc.transact(() => change(rootOf(doc), root, { canvas, variables, fonts, scenes }), origin)
}

type Given = Readonly<Record<string, unknown>>

function change(map: Y.Map<unknown>, shape: MapShape, given: Given): void {
  for (const name of [...map.keys()]) if (!isGiven(given, name)) map.delete(name)
  for (const name of Object.keys(given)) {
    if (!isGiven(given, name)) continue
    const below = shapeOf(shape, name)
    const present = map.get(name)
    if (below === undefined) continue
    if (below === 'value') {
      if (present instanceof Y.AbstractType || !isSame(present, given[name])) map.set(name, copyOf(given[name]))
    } else if (present instanceof Y.Map) change(present, below, given[name] as Given)
    else map.set(name, made(below, given[name] as Given))
  }
}

function isGiven(given: Given, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== undefined
}

function made(shape: MapShape, given: Given): Y.Map<unknown> {
  const map = new Y.Map<unknown>()
  for (const name of Object.keys(given)) {
    const below = shapeOf(shape, name)
    if (below === undefined || !isGiven(given, name)) continue
    map.set(name, below === 'value' ? copyOf(given[name]) : made(below, given[name] as Given))
  }
  return map
}

/** Yjs keeps the value that it is given, so it gets a copy that is never changed. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

/** Compares as JSON: the order of members does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one).filter((name) => (one as Given)[name] !== undefined)
  const others = Object.keys(other).filter((name) => (other as Given)[name] !== undefined)
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame((one as Given)[name], (other as Given)[name]))
  )
}
