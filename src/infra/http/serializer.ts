import { hash } from 'node:crypto'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { lazily } from '../../core/lazily.ts'
import type { Replies } from '../../core/operation.ts'

/**
 * Turns answers into JSON by their schemas; members that a schema does not name are dropped. A serialiser is code that
 * is compiled from a schema when it is first needed. Most answers contain the same few records, so separate code for
 * each would be many times larger: equal schemas share a serialiser, and equal parts of a schema share a function in
 * it.
 */

export type Serialize = (value: unknown) => string

const made = new Map<string, Serialize>()

/** The serialiser of a schema; equal schemas share one, found by a digest. */
export function serializerOf(schema: TSchema): Serialize {
  const serialize = lazily(() => {
    const shared = new Parts().take(schema)
    const digest = hash('sha256', JSON.stringify(shared), 'base64')
    const known = made.get(digest)
    if (known !== undefined) return known
    const compiled = compile(shared)
    made.set(digest, compiled)
    return compiled
  })
  return (value) => serialize()(value)
}

interface Node {
  readonly [keyword: string]: unknown
}

/** Keywords that only people read. */
const annotations: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'deprecated'])
/** Keywords whose member names are chosen by the schema's author. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/** Keywords whose values are no schemas. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'required'])

/**
 * Schemas without their annotations. Equal schemas become the same object, by which the compiler recognises what it has
 * already compiled.
 */
class Parts {
  readonly #known = new Map<string, object>()
  readonly #numbers = new WeakMap<object, number>()

  take(value: unknown): Node {
    return this.#schema(value) as Node
  }

  #schema(value: unknown): unknown {
    if (!isNode(value)) return Array.isArray(value) ? this.#one(value.map((item) => this.#schema(item))) : value
    const members = Object.entries(value).filter(([keyword]) => !annotations.has(keyword))
    const node = members.map(([keyword, member]) => {
      if (values.has(keyword)) return [keyword, member]
      return [keyword, named.has(keyword) ? this.#members(member as Node) : this.#schema(member)]
    })
    return this.#one(withNull(Object.fromEntries(node)))
  }

  #members(members: Node): object {
    return this.#one(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, this.#schema(member)])))
  }

  /**
   * The first object that equals this one. Its parts are already unique, so that a number represents each in the key.
   */
  #one<T extends object>(value: T): T {
    const key = JSON.stringify(value, (name, member) => (name === '' ? member : (this.#numberOf(member) ?? member)))
    const known = this.#known.get(key)
    if (known !== undefined) return known as T
    this.#known.set(key, value)
    this.#numbers.set(value, this.#known.size)
    return value
  }

  #numberOf(value: unknown): string | undefined {
    const number = typeof value === 'object' && value !== null ? this.#numbers.get(value) : undefined
    return number === undefined ? undefined : `\u0000${number}`
  }
}

/** An object or list that may be null: one test for null, instead of checking the value against two schemas. */
function withNull(node: Node): Node {
  const { type, anyOf, ...rest } = node
  if (Array.isArray(type) && type.length === 2 && type[1] === 'null' && isComposite(type[0])) {
    return { ...rest, type: type[0], nullable: true }
  }
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || Object.keys(rest).length > 0 || type !== undefined) return node
  const [first, second] = anyOf as unknown as readonly [Node, Node]
  const isNull = second.type === 'null' && Object.keys(second).length === 1
  return isNull && isComposite(first.type) ? { ...first, nullable: true } : node
}

function isComposite(type: unknown): boolean {
  return type === 'object' || type === 'array'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Objects in an `anyOf` are referred to by name, because otherwise the compiler copies each of them with all their
 * content.
 */
function compile(schema: Node): Serialize {
  const choices: Record<string, unknown> = {}
  const names = new Map<object, string>()
  const done = new Map<object, unknown>()
  const nameOf = (choice: object): string => {
    const name = names.get(choice) ?? `${names.size}`
    names.set(choice, name)
    return name
  }
  const referring = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = done.get(value)
    if (known !== undefined) return known
    const result = Array.isArray(value)
      ? value.map(referring)
      : Object.fromEntries(Object.entries(value).map(([keyword, member]) => [keyword, under(keyword, member)]))
    done.set(value, result)
    return result
  }
  const under = (keyword: string, member: unknown): unknown => {
    if (keyword !== 'anyOf' || !Array.isArray(member)) return referring(member)
    return member.map((choice: Node) => {
      if (choice.type !== 'object') return referring(choice)
      const name = nameOf(choice)
      choices[name] ??= referring(choice)
      return { $ref: `choices#/definitions/${name}` }
    })
  }
  const root = referring(schema) as Schema
  return fastJson(root, { schema: { choices: { definitions: choices } as Schema } }) as Serialize
}

/** Serialises a value by the schema of a status; members that the schema does not name are dropped. */
export function replySerializer(reply: Replies): (value: unknown, status: number) => string {
  const stringifiers = new Map(Object.entries(reply).map(([status, schema]) => [Number(status), serializerOf(schema)]))
  return (value, status) => {
    const stringify = stringifiers.get(status)
    if (stringify === undefined) throw new Error(`no schema is declared for an answer with status ${status}`)
    return stringify(value)
  }
}
