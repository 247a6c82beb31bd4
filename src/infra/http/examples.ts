import type { TSchema } from 'typebox'
import { exampleGuid } from '../../core/schema.ts'

/** A plausible value of a schema, for the description: its own example where it has one, else one of its form. */

type Node = TSchema & {
  readonly type?: string | readonly string[]
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
  readonly maxLength?: number
  readonly minItems?: number
}

const byFormat: Readonly<Record<string, string>> = {
  uuid: exampleGuid,
  'date-time': '2026-05-01T18:00:00.000Z',
  uri: 'https://example.org/page',
  email: 'player@example.org',
}

export function exampleOf(schema: TSchema): unknown {
  const node = schema as Node
  if (node.examples?.[0] !== undefined) return node.examples[0]
  if (node.default !== undefined) return node.default
  if (node.const !== undefined) return node.const
  if (node.enum?.[0] !== undefined) return node.enum[0]
  if (node.anyOf?.[0] !== undefined) return exampleOf(node.anyOf[0])
  if (node.allOf !== undefined) return Object.assign({}, ...node.allOf.map(exampleOf))
  const type = Array.isArray(node.type) ? node.type[0] : node.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]),
      )
    case 'array':
      return node.items === undefined ? [] : exampleList(node.items, node.minItems ?? 1)
    case 'integer':
    case 'number':
      return node.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return (node.format !== undefined && byFormat[node.format]) || 'text'.slice(0, node.maxLength)
    default:
      return null
  }
}

function exampleList(item: Node, length: number): unknown[] {
  return Array.from({ length: Math.max(1, length) }, () => exampleOf(item))
}
