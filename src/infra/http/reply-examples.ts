import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'

/**
 * Examples of answers, for the description: one moment of one invented tournament, so that what belongs together agrees (the same record
 * has the same GUID and name everywhere, and a record that is not yet over has no end).
 */

/** What the members of answers hold in the examples. */
export interface ExampleWords {
  /**
   * Values by the name of a member, with as many of the schemas and members that it stands in as it takes (`game.side.score` is another
   * than `side.score`); or by the title of a schema. An array stands for a list, any other value for one item of it.
   */
  readonly values: Readonly<Record<string, unknown>>
  /** Members that are null where they may be: what has not happened, and what is seldom given. */
  readonly absent: ReadonlySet<string>
  /** Which kind of record a schema or member is about, where its name is not that kind: `captain` is a `user`. */
  readonly kinds: Readonly<Record<string, string>>
}

type Node = TSchema & {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly allOf?: readonly Node[]
  readonly minimum?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly maxLength?: number
}

/** Where in an answer a value stands. */
interface Place {
  /** Name of the member; of the schema, where it is no member of anything. */
  readonly name: string
  /** Title of the schema that it is a member of, or the name of the member that holds it. */
  readonly owner: string
  /** The same of the owner. */
  readonly beyond: string
  /** ` 2` within the second item of a list that has two, such as the sides of a match; else empty. */
  readonly item: string
}

/** Examples of the schemas of one description. */
export class ReplyExamples {
  readonly #words: ExampleWords

  constructor(words: ExampleWords) {
    this.#words = words
  }

  /** @param name what the schema is of, where it has no title */
  of(schema: TSchema, name: string): unknown {
    const node = schema as Node
    return this.#value(node, { name: node.title ?? name, owner: node.title ?? name, beyond: '', item: '' })
  }

  #value(node: Node, place: Place): unknown {
    const { values, absent } = this.#words
    const { name, owner, beyond, item } = place
    const own = [
      `${beyond}.${owner}${item}.${name}`,
      `${beyond}.${owner}.${name}`,
      `${owner}${item}.${name}`,
      `${owner}.${name}`,
    ]
      .map((key) => values[key])
      .find((value) => value !== undefined)
    if (mayBeNull(node) && (absent.has(`${owner}.${name}`) || (absent.has(name) && own === undefined))) return null
    const said = own ?? values[node.title ?? name] ?? values[name]
    if (said !== undefined && fits(node, said)) return said
    if (node.examples?.[0] !== undefined) return node.examples[0]
    if (node.const !== undefined) return node.const
    if (node.default !== undefined) return node.default
    if (node.enum !== undefined) return node.enum.find((value) => value !== null)
    if (node.anyOf !== undefined) return this.#value(node.anyOf.find(({ type }) => type !== 'null') ?? {}, place)
    if (node.allOf !== undefined) return Object.assign({}, ...node.allOf.map((part) => this.#value(part, place)))
    return this.#ofType(node, place)
  }

  #ofType(node: Node, place: Place): unknown {
    const { name, owner, item } = place
    switch (typesOf(node).find((each) => each !== 'null')) {
      case 'object': {
        const within = node.title ?? name
        return Object.fromEntries(
          Object.entries(node.properties ?? {}).map(([member, schema]) => [
            member,
            this.#value(schema, { name: member, owner: within, beyond: owner, item }),
          ]),
        )
      }
      case 'array': {
        const { items } = node
        if (items === undefined) return []
        const each = (index: number) => ({ ...place, name: singular(name), item: index === 0 ? item : ` ${index + 1}` })
        return Array.from({ length: Math.max(1, node.minItems ?? 1) }, (_, index) => this.#value(items, each(index)))
      }
      case 'integer':
      case 'number':
        return Math.max(node.minimum ?? 1, 1)
      case 'boolean':
        return true
      case 'string':
        return this.#text(node, place)
      default:
        return null
    }
  }

  #text({ format }: Node, { name, owner, item }: Place): string {
    if (format === 'date-time') return '2026-05-01T18:00:00.000Z'
    if (format === 'uri') return 'https://example.org/page'
    if (format === 'email') return 'player@example.org'
    if (format === 'uuid') return guidOf(`${this.#kind(name === 'guid' ? owner : name)}${item}`)
    return name
  }

  #kind(name: string): string {
    const { kinds } = this.#words
    const bare = name.replace(/(By)?Guids?$/, '') || name
    return kinds[name] ?? kinds[bare] ?? `${bare.slice(0, 1).toLowerCase()}${bare.slice(1)}`
  }
}

/** The same for the same kind of record: a UUID whose version says that it is made up (8, RFC 9562 §5.8). */
function guidOf(kind: string): string {
  const hex = createHash('sha256').update(kind).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

function typesOf({ type }: Node): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? [])
}

function mayBeNull(node: Node): boolean {
  return typesOf(node).includes('null') || node.anyOf?.some(({ type }) => type === 'null') === true
}

/** Whether a value is of a type that the schema takes, and among the values that it names. */
function fits(node: Node, value: unknown): boolean {
  if (node.enum !== undefined) return node.enum.includes(value)
  if (node.anyOf !== undefined) return node.anyOf.some((part) => fits(part, value))
  if (node.allOf !== undefined) return true
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const types = typesOf(node)
  if (typeof value === 'string' && !isWritten(node, value)) return false
  if (type === 'array' && types.includes('array')) {
    return (value as unknown[]).every((item) => node.items === undefined || fits(node.items, item))
  }
  return types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(value))
}

/** Whether a text is of the form that the schema asks for. */
function isWritten({ format, pattern, maxLength }: Node, value: string): boolean {
  if (format === 'uuid' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return false
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) return false
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false
  return value.length <= (maxLength ?? value.length)
}

/** `teams` holds a team. */
function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  if (/(ch|sh|ss|x)es$/.test(name)) return name.slice(0, -2)
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name
}
