import { maxDepth } from '../../../../../src/engine/scenes/conditions.ts'
import type { Scene, SceneDocument, SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { strangersIn } from '../../../../../src/engine/scenes/known.ts'
import { elementSchema, partSchemas, sceneLimits } from '../../../../../src/engine/scenes/schema/schema.ts'
import type { JsonSchema } from '../../../../../src/engine/scenes/schema/values.ts'
import { elementFaults, parentFaults } from '../../../../../src/engine/scenes/soundness.ts'
import { type Fault, faultIn, first } from './conforms.ts'

/**
 * Whether the service would take a step, judged by what it changed: parts that it left alone are the same objects before
 * and after. (OV11)
 */
export function faultOfStep(before: SceneDocument, after: SceneDocument): Fault | null {
  const ids = Object.keys(after.scenes)
  if (ids.length === 0) return { why: 'last', member: 'scenes' }
  if (ids.length > sceneLimits.scenes) return { why: 'many', member: 'scenes', most: sceneLimits.scenes }
  return (
    first(['canvas', 'variables', 'fonts'] as const, (part) =>
      after[part] === before[part] || after[part] === undefined ? null : faultOf(after[part], partSchemas[part], part),
    ) ??
    first(Object.entries(after.scenes), ([id, scene]) =>
      scene === before.scenes[id] ? null : faultOfScene(before.scenes[id], scene),
    ) ??
    faultOfSize(before, after)
  )
}

function faultOfScene(before: Scene | undefined, { elements, ...head }: Scene): Fault | null {
  const entries = Object.entries(elements)
  const most = sceneLimits.elementsOfScene
  if (entries.length > most) return { why: 'many', member: 'elements', most }
  const old = before?.elements ?? {}
  const changed = entries.filter(([id, element]) => element !== old[id])
  const isMoved =
    entries.length !== Object.keys(old).length ||
    changed.some(([id, { type, parent }]) => type !== old[id]?.type || (parent ?? null) !== (old[id]?.parent ?? null))
  return (
    faultOf(head, partSchemas.scene, 'name') ??
    (head.name === before?.name ? null : faultOfName(head.name)) ??
    first(changed, ([id, element]) => faultOfElement(element, old[id])) ??
    (isMoved && parentFaults(new Map(entries)).length > 0 ? { why: 'parent', member: 'parent' } : null)
  )
}

function faultOfElement(element: SceneElement, before: SceneElement | undefined): Fault | null {
  const fault = faultOf(element, elementSchema(element.type), 'type')
  if (fault !== null) return fault
  const [unsound] = elementFaults(element)
  if (unsound !== undefined)
    return unsound.pointer.endsWith('/when')
      ? { why: 'deep', member: 'conditions', most: maxDepth }
      : { why: 'unknown', member: 'bindings' }
  const stranger = newStranger(element, before)
  if (stranger !== undefined)
    return stranger.includes('/args/') ? { why: 'form', member: 'args' } : { why: 'stranger', member: 'bindings' }
  if (hasRefusedText(element)) return { why: 'form', member: 'text' }
  return element.name === before?.name ? null : faultOfName(element.name)
}

/** Names that stand for nothing are refused, but where the element had them: it may be of another version. (OV2, OV3) */
function newStranger(element: SceneElement, before: SceneElement | undefined): string | undefined {
  const isSame = (['bindings', 'conditions', 'props'] as const).every((part) => element[part] === before?.[part])
  if (isSame) return undefined
  const textOf = ({ pointer, words }: { readonly pointer: string; readonly words: string }) => `${pointer} ${words}`
  const old = new Set(before === undefined ? [] : strangersIn(before).map(textOf))
  return strangersIn(element).find((fault) => !old.has(textOf(fault)))?.pointer
}

const faultOf = (value: unknown, schema: JsonSchema, member: string) =>
  faultIn(value, schema, schema.$defs ?? {}, member)

const control = /[^\P{Cc}\n\t]/u
/** Embeddings, overrides and isolates, which reorder what follows. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/

/** Texts hold neither control characters nor such that change the direction of writing. (D9) */
function hasRefusedText(value: unknown): boolean {
  if (typeof value === 'string') return control.test(value) || reordering.test(value) || !value.isWellFormed()
  return typeof value === 'object' && value !== null && Object.values(value).some(hasRefusedText)
}

/** A name is empty, or can be seen and is on one line. (D56) */
function faultOfName(name: string): Fault | null {
  const isFine = name === '' || (/[\p{L}\p{N}\p{P}\p{S}]/u.test(name) && !/[\n\t\u2028\u2029]/.test(name))
  return isFine ? null : { why: 'name', member: 'name' }
}

function faultOfSize(before: SceneDocument, after: SceneDocument): Fault | null {
  const count = ({ scenes }: SceneDocument) =>
    Object.values(scenes).reduce((sum, { elements }) => sum + Object.keys(elements).length, 0)
  const most = sceneLimits.elements
  if (count(after) > Math.max(most, count(before))) return { why: 'many', member: 'elements', most }
  // A step that makes the document larger is measured where the document may be too large: three bytes a character.
  const length = JSON.stringify(after).length
  if (length * 3 <= sceneLimits.bytes) return null
  return new TextEncoder().encode(JSON.stringify(after)).length > sceneLimits.bytes
    ? { why: 'size', member: 'document' }
    : null
}
