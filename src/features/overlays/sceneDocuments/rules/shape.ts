import * as Y from 'yjs'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'

/**
 * Documents as they are co-edited. Maps all the way down to members of elements, so that people who change different members do not
 * overwrite each other; whatever is below is one value. No lists, no rich text, no documents within. Runs in browsers, too. (OV9)
 */

/** A map: of `members` by their names, and of `each` for all other names. */
interface MapShape {
  readonly members?: Readonly<Record<string, Shape>>
  readonly each?: Shape
}

/** `value`: one value, whatever it holds. */
type Shape = 'value' | MapShape

const values: MapShape = { each: 'value' }
const element: MapShape = {
  members: {
    ...{ props: values, mask: values, border: values, shadow: values, animation: values },
    ...{ bindings: values, conditions: values },
  },
  each: 'value',
}
const scene: MapShape = { members: { elements: { each: element } }, each: 'value' }
const root: MapShape = {
  members: { canvas: values, variables: values, fonts: values, scenes: { each: scene } },
}

/** What all hangs on. */
export const rootName = 'root'

/** Without the version of its form, which the service adds. (overlays: Details, 3) */
export type Draft = Omit<SceneDocument, 'schemaVersion'>

export function rootOf(doc: Y.Doc): Y.Map<unknown> {
  return doc.getMap(rootName)
}

/** @throws TypeError where something is of another shape: nothing that was judged is */
export function documentOf(doc: Y.Doc): SceneDocument {
  return { schemaVersion: 1, ...(read(rootOf(doc), root) as Draft) }
}

/** What is at a place of the document, as JSON; undefined where nothing is. @throws TypeError as `documentOf` */
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

/** Of a scene, without its elements. @throws TypeError as `documentOf` */
export function sceneHeadAt(doc: Y.Doc, id: string): Readonly<Record<string, unknown>> {
  const found = mapAt(doc, ['scenes', id])
  if (found === null) throw new TypeError('is of another shape')
  return members(
    found,
    [...found.keys()].filter((name) => name !== 'elements'),
    () => 'value',
  )
}

/** null where there is none, or something else. */
export function mapAt(doc: Y.Doc, place: readonly string[]): Y.Map<unknown> | null {
  let found: unknown = rootOf(doc)
  for (const name of place) found = found instanceof Y.Map ? found.get(name) : undefined
  return found instanceof Y.Map ? found : null
}

/** In the order of names, so that equal documents are equal texts. */
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
 * Turns what is there into the given document by the fewest changes, as one transaction: who looks on sees what changed alone, and can
 * undo it. What has not changed keeps its history, so that others' edits of it at the same time stay. (overlays: Operations, restore)
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

/** What is handed over is kept as it is: nobody changes it afterwards. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

/** As JSON: the order of members does not count. */
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
