import { isDeepStrictEqual } from 'node:util'

/** Reads published descriptions as clients do: resolves references, and composes examples from those of the members. */

export type Json = Readonly<Record<string, unknown>>

export interface Description extends Json {
  readonly components: Readonly<Record<string, Json>>
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The part that a reference into the same document leads to. */
function partAt(document: Json, reference: string): unknown {
  const names = reference.slice('#/'.length).split('/')
  return names.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document)
}

/**
 * The document with every reference resolved that does not lead to a component of the other document, and with what stands for all
 * operations at each of them.
 */
export function unshared(document: Description, other: Description): Description {
  const { security, ...rest } = resolved(document, document, other) as Description & { readonly security?: unknown }
  const sections = Object.entries(rest.components).filter(([section]) => section in other.components)
  const components = sections.map(([section, all]) => {
    const named = Object.entries(all).filter(([name]) => name in (other.components[section] ?? {}))
    return [section, Object.fromEntries(named)]
  })
  if (!isObject(rest.paths)) return { ...rest, components: Object.fromEntries(components) }
  const paths = Object.entries(rest.paths as Readonly<Record<string, Json>>).map(
    ([path, { parameters, ...methods }]) => {
      const common = (parameters ?? []) as readonly Json[]
      const each = Object.entries(methods as Readonly<Record<string, Json>>).map(([method, operation]) => {
        const all = [...common, ...((operation.parameters ?? []) as readonly Json[])]
        return [method, { security, ...operation, ...(all.length === 0 ? {} : { parameters: all }) }]
      })
      return [path, Object.fromEntries(each)]
    },
  )
  return { ...rest, paths: Object.fromEntries(paths), components: Object.fromEntries(components) }
}

function resolved(value: unknown, document: Description, other: Description): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, document, other))
  if (!isObject(value)) return value
  const { $ref, ...beside } = value
  if (typeof $ref !== 'string' || !$ref.startsWith('#/components/') || partAt(other, $ref) !== undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, document, other)]))
  }
  const part = partAt(document, $ref)
  if (part === undefined) throw new Error(`nothing is at ${$ref}`)
  return { ...(resolved(part, document, other) as Json), ...beside }
}

/** Parameters in an order of their own: it says nothing. */
export function withoutExamples(value: unknown, holder = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutExamples(item))
    const key = (item: unknown) => `${(item as Json).in} ${(item as Json).name}`
    return holder === 'parameters' ? items.sort((a, b) => (key(a) < key(b) ? -1 : 1)) : items
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name, each]) => !isExample(name, each, holder))
  return Object.fromEntries(members.map(([name, each]) => [name, withoutExamples(each, name)]))
}

/** A property of a schema may be called so too. */
function isExample(name: string, value: unknown, holder: string): boolean {
  return holder !== 'properties' && (name === 'example' || (name === 'examples' && Array.isArray(value)))
}

/** Places of the whole document whose examples the shared one, unshared again, does not give. */
export function lackingExamples(shared: unknown, whole: unknown, document: Json, at = '', holder = ''): string[] {
  if (Array.isArray(whole)) {
    if (holder === 'parameters') return []
    return whole.flatMap((item, index) =>
      lackingExamples((shared as unknown[])[index], item, document, `${at}/${index}`),
    )
  }
  if (!isObject(whole) || !isObject(shared)) return []
  return Object.entries(whole).flatMap(([name, value]) => {
    const place = `${at}/${name}`
    if (!isExample(name, value, holder)) return lackingExamples(shared[name], value, document, place, name)
    if (name === 'example') {
      const given = 'example' in shared ? shared.example : madeOf(shared.schema as Json, document)
      return isDeepStrictEqual(given, value) ? [] : [place]
    }
    const made = [madeOf(shared, document), ...((shared.examples as unknown[] | undefined) ?? [])]
    const isGiven = (example: unknown) => made.some((each) => isDeepStrictEqual(each, example))
    return (value as unknown[]).every(isGiven) ? [] : [place]
  })
}

/** The example that tools make of a schema. */
function madeOf(schema: Json, document: Json): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (typeof schema.$ref === 'string') return madeOf(partAt(document, schema.$ref) as Json, document)
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null)
  if (Array.isArray(schema.anyOf))
    return madeOf(
      schema.anyOf.find(({ type }) => type !== 'null'),
      document,
    )
  if (isObject(schema.properties)) {
    const members = Object.entries(schema.properties as Readonly<Record<string, Json>>)
    return Object.fromEntries(members.map(([name, member]) => [name, madeOf(member, document)]))
  }
  if (isObject(schema.items)) return [madeOf(schema.items, document)]
  return schema.type === 'boolean' ? true : null
}
