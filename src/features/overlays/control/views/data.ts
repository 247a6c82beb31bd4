import { type TSchema, Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import type { ValueType } from '../../../../engine/scenes/paths/described.ts'
import { match } from '../../../../engine/scenes/paths/records.ts'
import { described } from '../../../../engine/scenes/paths/words.ts'
import type { DataTree } from '../../../../engine/scenes/tree.ts'

/**
 * The schema of the data tree. It is generated from the descriptions of the paths, so that both have the same members.
 */

interface DescribedNode {
  readonly words: string
  readonly of?: Members
  readonly each?: Members | Value
  readonly most?: number | null
}
type Value = readonly [ValueType, words: string]
type Members = { readonly [name: string]: DescribedNode | Value }

function plainOf([type, words]: Value): TSchema {
  const description = words
  switch (type) {
    case 'number':
      return Type.Number({ description })
    case 'boolean':
      return Type.Boolean({ description })
    case 'instant':
      return Type.String({ format: 'date-time', description })
    case 'guid':
      return Type.String({ format: 'uuid', description })
    default:
      return Type.String({ description })
  }
}

/** Every member except lists may be null, if its value is unknown. */
function memberOf(node: DescribedNode | Value): TSchema {
  if (isValue(node)) return nullable(plainOf(node))
  const { words, of, each, most = null } = node
  if (each !== undefined) {
    const bound = most === null ? {} : { maxItems: most }
    const item = isValue(each) ? plainOf(each) : objectOf(each)
    return Type.Array(item, { description: words, ...bound })
  }
  return nullable(objectOf(of ?? {}), words)
}

function objectOf(members: Members): TSchema {
  const title = titles.get(members)
  return Type.Object(
    Object.fromEntries(Object.entries(members).map(([name, node]) => [name, memberOf(node)])),
    title === undefined ? {} : { title },
  )
}

/** Titles of schemas that occur at several places of the tree. */
const titles = new Map<object, string>([[match, 'OverlayMatch']])

function isValue(node: DescribedNode | Value | Members): node is Value {
  return Array.isArray(node)
}

/** Leaves out the members that the page adds from its other topics and its clock. */
const { live: _live, casters: _casters, control: _control, variables: _variables, time: _time, ...node } = described

export const OverlayDataView = Type.Unsafe<DataTree>({
  ...objectOf(node as unknown as Members),
  title: 'OverlayData',
  description: 'What scenes are bound to, as everybody may see it.',
})
