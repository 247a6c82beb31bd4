import type { ValueType } from './described.ts'
import { described } from './words.ts'

/** All paths that elements may be bound to. (OV2; overlays: Operations, bindings) */

export interface BindablePath {
  /** `{n}` is an index in a list, from 0; `{name}` is a name that the document or a controller chose. */
  readonly path: string
  readonly type: ValueType | 'list' | 'object' | 'plain'
  readonly words: string
  /** For a list: its greatest length; null if that is open. */
  readonly most?: number | null
}

interface DescribedNode {
  readonly words: string
  readonly of?: Members
  readonly each?: Members | Value
  readonly most?: number | null
}
type Value = readonly [ValueType, string]
type Members = { readonly [name: string]: DescribedNode | Value }

/** The paths, in the order of the description of the tree. */
export const paths: readonly BindablePath[] = membersAt('', described as unknown as Members)

function membersAt(place: string, members: Members): BindablePath[] {
  return Object.entries(members).flatMap(([name, member]) => at(`${place}${name}`, member))
}

function at(path: string, node: DescribedNode | Value): BindablePath[] {
  if (isValue(node)) return [{ path, type: node[0], words: node[1] }]
  const { words, of, each, most = null } = node
  if (of !== undefined) return [{ path, type: 'object', words }, ...membersAt(`${path}.`, of)]
  if (each === undefined)
    return [
      { path, type: 'object', words },
      { path: `${path}.{name}`, type: 'plain', words },
    ]
  const within = isValue(each) ? at(`${path}.{n}`, each) : membersAt(`${path}.{n}.`, each)
  return [{ path, type: 'list', words, most }, ...within]
}

function isValue(node: DescribedNode | Value | Members): node is Value {
  return Array.isArray(node)
}
