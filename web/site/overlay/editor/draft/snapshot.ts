import type * as Y from 'yjs'
import type { Scene, SceneDocument, SceneElement } from '../../../../../src/engine/scenes/document.ts'
import {
  documentOf,
  mapAt,
  rootOf,
  sceneHeadAt,
  valueAt,
} from '../../../../../src/features/overlays/sceneDocuments/rules/shape.ts'

/**
 * The document as JSON. After a change only the changed parts are made anew, so that the page sees by identity what it has
 * to draw again.
 */

type Changed = Y.Transaction['changed']

const tops = ['canvas', 'variables', 'fonts'] as const

export function snapshotAfter(before: SceneDocument | null, doc: Y.Doc, changed: Changed): SceneDocument {
  if (before === null) return documentOf(doc)
  const places = [...changed].flatMap(([type, names]) => {
    const place = placeOf(type as Y.AbstractType<unknown>)
    return [...names].map((name) => (name === null ? place : [...place, name]))
  })
  if (places.some((place) => place.length === 0 || (place.length === 1 && place[0] === 'scenes')))
    return documentOf(doc)
  const next: Record<string, unknown> = { ...before }
  for (const part of tops) {
    if (!places.some(([first]) => first === part)) continue
    const value = rootOf(doc).has(part) ? valueAt(doc, [part]) : undefined
    if (value === undefined) delete next[part]
    else next[part] = value
  }
  const scenes: Record<string, Scene> = { ...before.scenes }
  const touched = Map.groupBy(
    places.filter(([first]) => first === 'scenes'),
    ([, scene = '']) => scene,
  )
  for (const [id, all] of touched) {
    if (mapAt(doc, ['scenes', id]) === null) delete scenes[id]
    else scenes[id] = sceneAfter(scenes[id], doc, id, all)
  }
  return { ...next, scenes } as SceneDocument
}

function sceneAfter(before: Scene | undefined, doc: Y.Doc, id: string, places: readonly string[][]): Scene {
  const isWhole = before === undefined || places.some(([, , , element]) => element === undefined)
  const head = sceneHeadAt(doc, id) as unknown as Omit<Scene, 'elements'>
  if (isWhole && places.some(([, , member]) => member === undefined || member === 'elements'))
    return valueAt(doc, ['scenes', id]) as Scene
  const elements: Record<string, SceneElement> = { ...before?.elements }
  for (const [, , , element] of places) {
    if (element === undefined) continue
    const value = mapAt(doc, ['scenes', id, 'elements'])?.has(element)
      ? (valueAt(doc, ['scenes', id, 'elements', element]) as SceneElement)
      : undefined
    if (value === undefined) delete elements[element]
    else elements[element] = value
  }
  return { ...head, elements }
}

/** The names on the way from the root to a map. */
function placeOf(type: Y.AbstractType<unknown>): string[] {
  const place: string[] = []
  for (let item = type._item; item !== null; item = (item.parent as Y.AbstractType<unknown>)._item)
    place.unshift(item.parentSub ?? '')
  return place
}
