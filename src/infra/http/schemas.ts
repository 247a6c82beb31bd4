import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

/** Members of a schema that hold values, which may look like schemas. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** Schemas that have a title stand once, under it; all others where they are used. */
export class Schemas {
  readonly named: Record<string, unknown> = {}
  readonly #sources = new Map<string, string>()
  /** Most schemas with a title are one object, wherever they are used. */
  readonly #placed = new WeakSet<object>()
  readonly #exampleOf: ((schema: TSchema) => unknown) | undefined

  /** @param exampleOf what each schema with a title gets as its example, unless it has one */
  constructor(exampleOf?: (schema: TSchema) => unknown) {
    this.#exampleOf = exampleOf
  }

  place(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.place(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const { title } = schema as { title?: unknown }
    if (typeof title !== 'string') return this.#members(schema)
    const reference = { $ref: `#/components/schemas/${title}` }
    if (this.#placed.has(schema)) return reference
    this.#placed.add(schema)
    const source = JSON.stringify(schema)
    const known = this.#sources.get(title)
    if (known !== undefined && known !== source) throw new Error(`two different schemas are called ${title}`)
    if (known === undefined) {
      this.#sources.set(title, source)
      const members = this.#members(schema)
      const example = 'examples' in schema ? undefined : this.#exampleOf?.(schema as TSchema)
      this.named[title] = example === undefined ? members : { ...members, examples: [example] }
    }
    return reference
  }

  #members(schema: object): Json {
    return Object.fromEntries(
      Object.entries(schema).map(([name, member]) => [name, values.has(name) ? member : this.place(member)]),
    )
  }
}
