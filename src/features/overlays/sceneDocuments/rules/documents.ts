import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { strangersIn } from '../../../../engine/scenes/known.ts'
import { sceneLimits } from '../../../../engine/scenes/schema/schema.ts'
import { type Fault, maxFaults, type Placed, parentFaults, pointerTo } from '../../../../engine/scenes/soundness.ts'
import { lifted, presentVersion } from '../../../../engine/scenes/versions.ts'
import { faultsOfElement, isRecord, nameFaults, partFaults } from './form.ts'

/** Checks a whole document that a caller gives: by PUT, in a package, or from a template. */

export type JudgedDocument =
  | { readonly ok: true; readonly document: SceneDocument }
  | { readonly ok: false; readonly code: 'scene.version' | 'scene.invalid'; readonly faults: readonly Fault[] }

/**
 * Checks a document: it must match the schema, be consistent and not be too large. A document of an earlier version is
 * converted first. (OV7)
 */
export function readDocument(given: unknown): JudgedDocument {
  if (!isRecord(given)) return invalid([{ pointer: '', words: 'must be an object' }])
  if (isDeeper(given, maxDepth)) return invalid([{ pointer: '', words: `is deeper than ${maxDepth} levels` }])
  const document = lifted(given)
  if (document === null) {
    const words = `must be a version that is known, at most ${presentVersion}`
    return { ok: false, code: 'scene.version', faults: [{ pointer: '/schemaVersion', words }] }
  }
  const faults = [...membersFaults(document), ...scenesFaults(document.scenes)]
  if (faults.length > 0) return invalid(faults)
  const bytes = jsonBytes(document)
  if (bytes > sceneLimits.bytes)
    return invalid([{ pointer: '', words: `must have at most ${sceneLimits.bytes} bytes, and has ${bytes}` }])
  return { ok: true, document: document as unknown as SceneDocument }
}

/**
 * Also checks the names, and whether the formatters and paths exist, for a document that a caller writes. Stored
 * documents from before these rules stay readable. (D56, OV2, OV3)
 */
export function readWritten(given: unknown): JudgedDocument {
  const judged = readDocument(given)
  if (!judged.ok) return judged
  const faults = [...namesFaults(judged.document), ...strangersFaults(judged.document)]
  return faults.length > 0 ? invalid(faults) : judged
}

function namesFaults({ scenes }: SceneDocument): Fault[] {
  return Object.entries(scenes).flatMap(([id, { name, elements }]) => [
    ...nameFaults(name, pointerTo('scenes', id, 'name')),
    ...Object.entries(elements).flatMap(([element, { name: of }]) =>
      nameFaults(of, pointerTo('scenes', id, 'elements', element, 'name')),
    ),
  ])
}

function strangersFaults({ scenes }: SceneDocument): Fault[] {
  return Object.entries(scenes).flatMap(([id, { elements }]) =>
    Object.entries(elements).flatMap(([element, value]) => {
      const place = pointerTo('scenes', id, 'elements', element)
      return strangersIn(value).map((fault) => ({ ...fault, pointer: place + fault.pointer }))
    }),
  )
}

/** Maximum depth, above that of any valid document: the deepest values are in nested tests. */
export const maxDepth = 20

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((member) => isDeeper(member, most - 1))
}

/** Size as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

const members: ReadonlySet<string> = new Set(['schemaVersion', 'canvas', 'variables', 'fonts', 'scenes'])

function membersFaults(document: Readonly<Record<string, unknown>>): Fault[] {
  const strangers = Object.keys(document).filter((name) => !members.has(name))
  const parts = (['canvas', 'variables', 'fonts'] as const).filter(
    (part) => part === 'canvas' || Object.hasOwn(document, part),
  )
  return [
    ...strangers.map((name) => ({ pointer: pointerTo(name), words: 'is not known here' })),
    ...parts.flatMap((part) => partFaults(part, document[part], pointerTo(part))),
  ]
}

function scenesFaults(scenes: unknown): Fault[] {
  if (!isRecord(scenes)) return [{ pointer: '/scenes', words: 'must be an object' }]
  const faults: Fault[] = []
  const ids = Object.keys(scenes)
  if (ids.length === 0) faults.push({ pointer: '/scenes', words: 'must have at least one scene' })
  if (ids.length > sceneLimits.scenes)
    faults.push({ pointer: '/scenes', words: `must have at most ${sceneLimits.scenes} scenes` })
  let elements = 0
  for (const id of ids.slice(0, sceneLimits.scenes)) {
    if (faults.length >= maxFaults) return faults
    const found = sceneFaults(id, scenes[id])
    elements += found.elements
    faults.push(...found.faults)
  }
  if (elements > sceneLimits.elements)
    faults.push({ pointer: '/scenes', words: `must have at most ${sceneLimits.elements} elements in all` })
  return faults
}

function sceneFaults(id: string, scene: unknown): { readonly elements: number; readonly faults: Fault[] } {
  const place = pointerTo('scenes', id)
  const faults = partFaults('id', id, place)
  if (!isRecord(scene)) return { elements: 0, faults: [...faults, { pointer: place, words: 'must be an object' }] }
  const { elements, ...head } = scene
  faults.push(...partFaults('scene', head, place))
  if (!isRecord(elements))
    return { elements: 0, faults: [...faults, { pointer: `${place}/elements`, words: 'must be an object' }] }
  const entries = Object.entries(elements)
  if (entries.length > sceneLimits.elementsOfScene) {
    const words = `must have at most ${sceneLimits.elementsOfScene} elements`
    return { elements: entries.length, faults: [...faults, { pointer: `${place}/elements`, words }] }
  }
  for (const [element, value] of entries) {
    if (faults.length >= maxFaults) break
    const at = `${place}${pointerTo('elements', element)}`
    faults.push(...partFaults('id', element, at), ...faultsOfElement(value, at))
  }
  if (faults.length === 0)
    faults.push(
      ...parentFaults(new Map(entries as [string, Placed][])).map((fault) => ({
        pointer: `${place}${pointerTo('elements', fault.id, 'parent')}`,
        words: fault.words,
      })),
    )
  return { elements: entries.length, faults }
}

function invalid(faults: readonly Fault[]): JudgedDocument {
  return { ok: false, code: 'scene.invalid', faults: faults.slice(0, maxFaults) }
}
