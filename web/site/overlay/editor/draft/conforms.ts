import type { JsonSchema } from '../../../../../src/engine/scenes/schema/values.ts'

/** Checks a value against a schema of scenes, before anything of it is sent. The service checks with a library. (OV11) */

/** Why a value is refused; the words of the page say it. */
export interface Fault {
  readonly why:
    | 'form'
    | 'range'
    | 'long'
    | 'short'
    | 'many'
    | 'unknown'
    | 'parent'
    | 'name'
    | 'size'
    | 'last'
    | 'deep'
    | 'stranger'
  /** The member that is wrong, the innermost one. */
  readonly member: string
  readonly least?: number
  readonly most?: number
}

type Definitions = Readonly<Record<string, JsonSchema>>

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

/** @returns the first fault; null where the value has the form of the schema */
export function faultIn(value: unknown, given: JsonSchema, definitions: Definitions, member = ''): Fault | null {
  const schema = given.$ref === undefined ? given : (definitions[given.$ref.replace('#/$defs/', '')] ?? {})
  const form: Fault = { why: 'form', member }
  const { type, enum: allowed } = schema
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) return form
  if (Object.hasOwn(schema, 'const') && schema.const !== value) return form
  if (allowed !== undefined && !allowed.includes(value)) return form
  if (schema.if !== undefined) {
    const branch = faultIn(value, schema.if, definitions, member) === null ? schema.then : schema.else
    const fault = branch === undefined ? null : faultIn(value, branch, definitions, member)
    if (fault !== null) return fault
  }
  if (typeof value === 'number') return outOfRange(value, schema, member)
  if (typeof value === 'string') return faultInText(value, schema, member)
  if (Array.isArray(value)) return faultInList(value, schema, definitions, member)
  return typeof value === 'object' && value !== null ? faultInObject(value, schema, definitions, member) : null
}

function outOfRange(value: number, { minimum: least, maximum: most }: JsonSchema, member: string): Fault | null {
  if (value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY)) return null
  return { why: 'range', member, ...(least !== undefined && { least }), ...(most !== undefined && { most }) }
}

function faultInText(value: string, schema: JsonSchema, member: string): Fault | null {
  const length = Array.from(value).length
  if (length > (schema.maxLength ?? length)) return { why: 'long', member, most: schema.maxLength ?? 0 }
  if (length < (schema.minLength ?? 0)) return { why: 'short', member, least: schema.minLength ?? 0 }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return { why: 'form', member }
  return schema.format === 'uuid' && !guid.test(value) ? { why: 'form', member } : null
}

function faultInList(
  value: readonly unknown[],
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems }: JsonSchema,
  definitions: Definitions,
  member: string,
): Fault | null {
  if (value.length > maxItems) return { why: 'many', member, most: maxItems }
  if (value.length < minItems) return { why: 'form', member }
  if (uniqueItems === true && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
    return { why: 'form', member }
  if (items === undefined) return null
  return first(value, (each) => faultIn(each, items, definitions, member))
}

function faultInObject(value: object, schema: JsonSchema, definitions: Definitions, member: string): Fault | null {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema
  const names = Object.keys(value)
  const missing = required.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return { why: 'form', member: missing }
  const most = schema.maxProperties ?? names.length
  if (names.length > most) return { why: 'many', member, most }
  if (names.length < (schema.minProperties ?? 0)) return { why: 'form', member }
  return first(Object.entries(value), ([name, each]) => {
    const wrong = propertyNames === undefined ? null : faultIn(name, propertyNames, definitions, name)
    if (wrong !== null) return wrong
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (own === false) return { why: 'unknown', member: name }
    return own === true || own === undefined ? null : faultIn(each, own, definitions, name)
  })
}

/** The first result of the items that is not null. */
export function first<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
