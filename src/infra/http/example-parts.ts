import { isDeepStrictEqual } from 'node:util'
import type { Json } from './sharing.ts'

/**
 * Moves examples to the schemas of the members. A reader of the description composes the example of an object from the
 * examples of its members, so each value is written once instead of again in every schema and answer around it.
 */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly examples?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly minItems?: number
}

/** Schemas by their names, as references lead to them. */
export type Named = Readonly<Record<string, Schema>>

const prefix = '#/components/schemas/'

/** The example that a reader composes for a schema; undefined if no member has an example. */
export function composed(schema: Schema, named: Named): unknown {
  const { $ref, examples, properties, items, anyOf } = schema
  if (examples !== undefined) return examples[0]
  if ($ref !== undefined) return composed(named[$ref.slice(prefix.length)] ?? {}, named)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== null)
  if (anyOf !== undefined) return composed(firstOf(anyOf), named)
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, member]) => [name, composed(member, named)] as const)
    return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members)
  }
  if (items !== undefined && (schema.minItems ?? 1) <= 1) {
    const item = composed(items, named)
    return item === undefined ? undefined : [item]
  }
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : undefined
}

function firstOf(schemas: readonly Schema[]): Schema {
  return schemas.find(({ type }) => type !== 'null') ?? {}
}

/** Puts the example into the members of the schema, or on the schema itself where its members cannot compose it. */
export function inParts(schema: Schema, example: unknown, named: Named): Schema {
  if (isDeepStrictEqual(composed(schema, named), example)) return schema
  const { $ref, properties, items, anyOf, examples = [] } = schema
  const whole = { ...schema, examples: [example, ...examples.filter((other) => !isDeepStrictEqual(other, example))] }
  if (examples.length > 0 || $ref !== undefined || example === null) return whole
  if (anyOf !== undefined) {
    const first = firstOf(anyOf)
    return { ...schema, anyOf: anyOf.map((each) => (each === first ? inParts(each, example, named) : each)) }
  }
  if (properties !== undefined && isObject(example)) {
    const isWhole = isDeepStrictEqual(Object.keys(properties).sort(), Object.keys(example).sort())
    if (!isWhole) return whole
    const members = Object.entries(properties).map(([name, member]) => [name, inParts(member, example[name], named)])
    return { ...schema, properties: Object.fromEntries(members) }
  }
  if (items !== undefined && Array.isArray(example) && example.length === 1 && (schema.minItems ?? 1) <= 1) {
    return { ...schema, items: inParts(items, example[0], named) }
  }
  return whole
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
}
type Contents = Readonly<Record<string, Media>>
interface Answer {
  readonly content?: Contents
}
interface Operation {
  readonly requestBody?: Answer
  readonly responses: Readonly<Record<string, Answer>>
}

/** The document with the examples of its schemas, bodies and answers in their parts. */
export function spreadExamples(document: Json): Json {
  const components = document.components as Json
  const named = components.schemas as Named
  const inMedia = (media: Media): Media => {
    const { schema, example, ...rest } = media
    if (schema === undefined || example === undefined) return media
    const changed = inParts(schema, example, named)
    // The example of an object as a whole may stay where it is, unless its schema has it as well.
    const isWhole = changed.examples !== undefined && schema.type !== 'string' && changed !== schema
    return isWhole ? media : { ...rest, schema: changed }
  }
  const inAnswer = (answer: Answer): Answer =>
    answer.content === undefined ? answer : { ...answer, content: mapped(answer.content, inMedia) }
  const inOperation = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.requestBody === undefined ? {} : { requestBody: inAnswer(operation.requestBody) }),
    responses: mapped(operation.responses, inAnswer),
  })
  const inSchema = (schema: Schema): Schema => {
    const { examples, ...rest } = schema
    return examples?.length === 1 ? inParts(rest, examples[0], named) : schema
  }
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  return {
    ...document,
    paths: mapped(paths, (methods) => mapped(methods, inOperation)),
    components: { ...components, schemas: mapped(named, inSchema) },
  }
}

function mapped<A, B>(all: Readonly<Record<string, A>>, change: (each: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, change(each)]))
}
