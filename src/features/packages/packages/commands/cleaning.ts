import type { TSchema } from 'typebox'
import { readName } from '../../../../core/names.ts'
import { type Inner, marksOf } from '../../../../core/packages/marks.ts'
import { oneLine, readMarkdown } from '../../../../core/text.ts'

/** Cleans the rows of a package as operations clean what callers give them. (P6) */

/**
 * A value without the members that its schema does not have, at any depth.
 * @param onStranger called with the path of each, such as `links.forum`
 */
export function knownOf(schema: TSchema, value: unknown, onStranger: (path: string) => void, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties, patternProperties } = branchOf(schema, value) as Inner
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((each) => knownOf(items, each, onStranger, path))
  }
  const others = Object.values(patternProperties ?? {})[0]
  if (Object.keys(properties ?? {}).length === 0 && others === undefined) return value
  const members = Object.entries(value).flatMap(([name, each]) => {
    const at = path === '' ? name : `${path}.${name}`
    const own = properties?.[name] ?? others
    if (own !== undefined) return [[name, knownOf(own, each, onStranger, at)] as const]
    onStranger(at)
    return []
  })
  return Object.fromEntries(members)
}

/**
 * A value that its schema allows, with texts as the operations store them.
 * @param onFault called with the end of a sentence about the text at a path
 */
export function cleanedOf(
  schema: TSchema,
  value: unknown,
  onFault: (path: string, words: string) => void,
  path = '',
): unknown {
  if (typeof value === 'string') return cleanedText(schema, value, (words) => onFault(path, words))
  if (typeof value !== 'object' || value === null) return value
  const { items, properties, patternProperties } = branchOf(schema, value) as Inner
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((each) => cleanedOf(items, each, onFault, path))
  }
  const others = Object.values(patternProperties ?? {})[0]
  const members = Object.entries(value).map(([name, each]) => {
    const own = properties?.[name] ?? others
    const at = path === '' ? name : `${path}.${name}`
    return [name, own === undefined ? each : cleanedOf(own, each, onFault, at)] as const
  })
  return Object.fromEntries(members)
}

function cleanedText(schema: TSchema, text: string, onFault: (words: string) => void): string {
  const { 'x-text': form } = marksOf(schema)
  if (form === 'markdown') return readMarkdown(text, (schema as Inner).maxLength ?? Number.POSITIVE_INFINITY)
  if (form === 'line') return oneLine(text)
  if (form !== 'name') return text
  const name = readName(text)
  if (name.ok) return name.value
  onFault(name.reason)
  return text
}

/** Of several schemas, the one with the most of the members that the value has. */
function branchOf(schema: TSchema, value: object): TSchema {
  const { anyOf } = schema as Inner
  if (anyOf === undefined) return schema
  const type = Array.isArray(value) ? 'array' : 'object'
  const ofType = anyOf.filter((each) => [(each as Inner).type].flat().includes(type))
  const strangers = (each: TSchema) => {
    const { properties } = each as Inner
    return properties === undefined ? 0 : Object.keys(value).filter((name) => !(name in properties)).length
  }
  const [best] = ofType.toSorted((one, other) => strangers(one) - strangers(other))
  return best === undefined ? schema : branchOf(best, value)
}
