import fc from 'fast-check'
import { bindable } from '../src/engine/scenes/bindable.ts'
import { elementTypes, type SceneDocument, type SceneElement } from '../src/engine/scenes/document.ts'
import { argumentFault, fieldsOf } from '../src/engine/scenes/formatter-fields.ts'
import { type Format, formatters } from '../src/engine/scenes/formatters.ts'
import { sceneSchema } from '../src/engine/scenes/schema/schema.ts'
import type { JsonSchema } from '../src/engine/scenes/schema/values.ts'

/** Scene documents for tests: chosen ones, large ones, and random ones that the published schema allows. */

export function elementOf(over: Partial<SceneElement> = {}): SceneElement {
  return { type: 'text', name: 'Title', order: 'V', x: 0, y: 0, width: 100, height: 50, ...over }
}

export function documentWith(elements: Readonly<Record<string, SceneElement>> = {}): SceneDocument {
  return {
    schemaVersion: 1,
    canvas: { width: 1920, height: 1080, background: 'transparent' },
    scenes: { scene001: { name: 'Start', order: 'V', elements } },
  }
}

export const idOf = (number: number) => `e${number.toString(36).padStart(9, '0')}`

/** A document with so many elements in four scenes, and about so many bytes: at most one byte less for each element. */
export function largeDocument(elements: number, bytes: number): SceneDocument {
  return filled(elements, Math.floor((bytes - JSON.stringify(filled(elements, 0)).length) / elements))
}

function filled(elements: number, filling: number): SceneDocument {
  const scenes = Array.from({ length: 4 }, (_, scene) => {
    const own = Array.from({ length: Math.floor(elements / 4) }, (_, index) => [
      idOf(scene * 1_000 + index),
      elementOf({
        order: `V${index.toString(36)}V`,
        x: index,
        y: index * 2,
        props: { text: 'x'.repeat(filling), size: 20, color: '#ffffff' },
        bindings: { text: { property: 'text', path: 'sides.0.team.name' } },
      }),
    ])
    return [`scene00${scene}`, { name: `Scene ${scene}`, order: `V${scene}`, elements: Object.fromEntries(own) }]
  })
  return { ...documentWith(), scenes: Object.fromEntries(scenes) }
}

/** Random values of a schema. Texts are plain, so that they have no other fault. */
function valuesOf(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOfDefinition(schema.$ref.slice('#/$defs/'.length), depth)
  if (schema.if !== undefined) return valuesOf((depth < 3 ? schema.else : schema.then) as JsonSchema, depth)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type: string) => type !== 'array')
    return fc.oneof(...types.map((type: string) => valuesOf({ ...schema, type }, depth)))
  }
  return valuesOfType(schema, depth)
}

const definitions = new Map<string, fc.Arbitrary<unknown>>()

/** Made once for each depth, because tests contain tests. */
function valuesOfDefinition(name: string, depth: number): fc.Arbitrary<unknown> {
  const key = `${name} ${depth}`
  const known = definitions.get(key)
  if (known !== undefined) return known
  // Every list is a path that may be read anywhere.
  if (name === 'path') return fc.constantFrom('games', 'sides.1.players', 'pool.maps', 'bracket.upcoming')
  const made = valuesOf(sceneSchema.$defs?.[name] as JsonSchema, depth + (name === 'test' ? 1 : 0))
  definitions.set(key, made)
  return made
}

function valuesOfType(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 })
    case 'number':
      return fc
        .double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true, noDefaultInfinity: true })
        .map((number) => number + 0)
    case 'string':
      if (schema.format === 'uuid') return fc.uuid()
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern), { maxLength: 40 })
      return fc
        .array(fc.constantFrom(...'abc XYZ 019 äö漢'), {
          minLength: schema.minLength ?? 0,
          maxLength: Math.min(20, schema.maxLength ?? 20),
        })
        .map((letters) => letters.join(''))
    case 'array': {
      const most = Math.min(3, schema.maxItems ?? 3)
      return fc.uniqueArray(valuesOf(schema.items as JsonSchema, depth), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, most),
        comparator: 'SameValue',
      })
    }
    default:
      return objectsOf(schema, depth)
  }
}

/** Empty, or with at least one visible character. */
function namesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return valuesOf(schema).filter((name) => name === '' || String(name).trim() !== '')
}

function objectsOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties, required = [] } = schema
  if (properties === undefined)
    return fc.dictionary(
      schema.propertyNames === undefined
        ? fc.stringMatching(/^[a-z]{4}$/)
        : (valuesOf({ type: 'string', ...schema.propertyNames }, depth) as fc.Arbitrary<string>),
      valuesOf(schema.additionalProperties as JsonSchema, depth),
      { minKeys: schema.minProperties ?? 0, maxKeys: Math.min(3, schema.maxProperties ?? 3), noNullPrototype: true },
    )
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, name === 'name' ? namesOf(each) : valuesOf(each, depth)]),
  )
  if (schema.maxProperties === 1)
    return fc.oneof(
      ...Object.entries(model).map(([name, value]) => fc.record({ [name]: value }, { noNullPrototype: true })),
    )
  return fc.record(model, {
    requiredKeys: required.filter((name) => Object.hasOwn(model, name)),
    noNullPrototype: true,
  })
}

const part = (name: string) => sceneSchema.$defs?.[name] as JsonSchema

/** Made once for each type, because an element has many members. */
const membersOf = new Map(
  elementTypes.map((type) => {
    const { props: _, type: __, parent: ___, ...members } = part('element').properties ?? {}
    return [type, valuesOf({ ...part('element'), properties: { ...members, props: part(`${type}Props`) } })]
  }),
)

/** Names a formatter that exists, with arguments that it takes. */
const known = (format: Format): Format => {
  const names = Object.keys(formatters)
  const name = names[format.name.length % names.length] ?? 'number'
  const fields = fieldsOf(name) ?? []
  const args = format.args?.slice(0, fields.length)
  return {
    name,
    ...(args !== undefined && {
      args: args.map((given, at) => (argumentFault(fields[at], given) === null ? given : null)),
    }),
  }
}

/** Bindings and conditions are restricted to those that the type allows. */
const elements: fc.Arbitrary<SceneElement> = fc
  .constantFrom(...elementTypes)
  .chain((type) =>
    fc.tuple(
      fc.constant(type),
      membersOf.get(type) as fc.Arbitrary<unknown>,
      fc.constantFrom(...Object.keys(bindable[type])),
    ),
  )
  .map(([type, made, name]) => {
    const { bindings, conditions, ...rest } = made as SceneElement
    const bound = Object.entries(bindings ?? {}).map(([id, { format, ...binding }]) => [
      id,
      { ...binding, property: name, ...(format !== undefined && { format: format.map(known) }) },
    ])
    const set = Object.entries(conditions ?? {}).map(([id, { when, set: given }]) => [
      id,
      { when, set: { [name]: Object.values(given)[0] ?? null } },
    ])
    return {
      ...rest,
      type,
      ...(bindings === undefined ? {} : { bindings: Object.fromEntries(bound) }),
      ...(conditions === undefined ? {} : { conditions: Object.fromEntries(set) }),
    } as SceneElement
  })

const ids = fc.stringMatching(/^[a-z0-9]{8,16}$/, { maxLength: 16 })

const scenes = fc
  .tuple(
    valuesOf({ ...part('scene'), properties: { ...part('scene').properties, elements: { const: {} } } }),
    fc.dictionary(ids, elements, { maxKeys: 5, noNullPrototype: true }),
    fc.nat(),
  )
  .map(([head, made, at]) => {
    const groups = Object.keys(made).filter((id) => made[id]?.type === 'group' || made[id]?.type === 'list')
    const group = groups[at % Math.max(1, groups.length)]
    const placed = Object.entries(made).map(([id, element]) => [
      id,
      group !== undefined && !groups.includes(id) && at % 2 === 0 ? { ...element, parent: group } : element,
    ])
    return { ...(head as object), elements: Object.fromEntries(placed) }
  })

/** Any valid document of moderate size. */
export const documents: fc.Arbitrary<SceneDocument> = fc
  .tuple(
    valuesOf({ ...sceneSchema, properties: { ...sceneSchema.properties, scenes: { const: {} } } }),
    fc.dictionary(ids, scenes, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  )
  .map(([head, made]) => ({ ...(head as SceneDocument), scenes: made }) as SceneDocument)
