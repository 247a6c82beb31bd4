import { readName } from '../../../../core/names.ts'
import { type SchemaError, shapeOf } from '../../../../core/shape.ts'
import { cleanText } from '../../../../core/text.ts'
import { type ElementType, elementTypes, type SceneElement } from '../../../../engine/scenes/document.ts'
import { anyElementSchema, elementSchema, partSchemas } from '../../../../engine/scenes/schema/schema.ts'
import type { JsonSchema } from '../../../../engine/scenes/schema/values.ts'
import { elementFaults, type Fault, maxFaults, pointerTo } from '../../../../engine/scenes/soundness.ts'

/** Checks the format of a part of a document, and lists its faults. (overlays: Scene document) */

export type PartName = keyof typeof partSchemas

const ofElements = new Map<ElementType, JsonSchema>()

function schemaOf(type: unknown): JsonSchema {
  const found = elementTypes.find((each) => each === type)
  if (found === undefined) return anyElementSchema
  const known = ofElements.get(found) ?? elementSchema(found)
  ofElements.set(found, known)
  return known
}

export function partFaults(part: PartName, value: unknown, pointer = ''): Fault[] {
  const faults = formFaults(partSchemas[part], value, pointer)
  return (faults.length > 0 ? faults : textFaults(value, pointer)).slice(0, maxFaults)
}

/** Checks a single element. The scene checks whether its parent exists. */
export function faultsOfElement(value: unknown, pointer = ''): Fault[] {
  const type = isRecord(value) && Object.hasOwn(value, 'type') ? value.type : undefined
  const faults = formFaults(schemaOf(type), value, pointer)
  if (faults.length > 0) return faults.slice(0, maxFaults)
  return [
    ...elementFaults(value as SceneElement).map((fault) => ({ ...fault, pointer: pointer + fault.pointer })),
    ...textFaults(value, pointer),
  ].slice(0, maxFaults)
}

function formFaults(schema: JsonSchema, value: unknown, pointer: string): Fault[] {
  const shape = shapeOf(schema)
  if (shape.check(value)) return []
  const shapeFaults = shape.errors(value).flatMap((error): Fault[] => {
    const words = wordsOf(error)
    return words === null ? [] : [{ pointer: pointer + error.instancePath, words }]
  })
  return shapeFaults.length > 0 ? shapeFaults : [{ pointer, words: 'does not have the form of the schema' }]
}

/** null for an error that only says that a nested check failed. */
function wordsOf(error: SchemaError): string | null {
  switch (error.keyword) {
    case 'additionalProperties':
    case 'if':
      return null
    case 'boolean':
      return 'is not known here'
    case 'required':
      return `lacks the member ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.map(String).join(', ')}`
    case 'pattern':
      return `must match ${String(error.params.pattern)}`
    case 'format':
      return error.params.format === 'uuid' ? 'must be a GUID' : `must have the form ${error.params.format}`
    case 'propertyNames':
      return 'has a member whose name is not allowed'
    default:
      return error.message
  }
}

/**
 * Texts must not contain control characters, or characters that change the text direction, as everywhere in the
 * service. (D9)
 */
function textFaults(value: unknown, pointer: string): Fault[] {
  if (typeof value === 'string') {
    const cleaned = cleanText(value)
    return cleaned.ok ? [] : [{ pointer, words: cleaned.reason }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textFaults(member, pointer + pointerTo(name)))
}

/**
 * Checks the name of a scene or an element: it may be empty, otherwise it must be visible and have one line. Unlike
 * elsewhere, the name is not corrected. (D56)
 */
export function nameFaults(name: string, pointer: string): Fault[] {
  if (name === '') return []
  if (/[\n\u2028\u2029]/.test(name)) return [{ pointer, words: 'must stand on one line' }]
  const read = readName(name)
  return read.ok ? [] : [{ pointer, words: read.reason }]
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
