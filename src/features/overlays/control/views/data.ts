import { type TSchema, Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import type { ValueType } from '../../../../engine/scenes/paths/described.ts'
import { match } from '../../../../engine/scenes/paths/records.ts'
import { described } from '../../../../engine/scenes/paths/words.ts'
import type { DataTree } from '../../../../engine/scenes/tree.ts'

/** The schema of the data tree: made of the words in which its paths are told of, so that both name the same members. */

interface Told {
  readonly words: string
  readonly of?: Members
  readonly each?: Members | Value
  readonly most?: number | null
}
type Value = readonly [ValueType, words: string]
type Members = { readonly [name: string]: Told | Value }

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

/** Whatever is no list may be null for want of what it tells. */
function memberOf(told: Told | Value): TSchema {
  if (isValue(told)) return nullable(plainOf(told))
  const { words, of, each, most = null } = told
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
    Object.fromEntries(Object.entries(members).map(([name, told]) => [name, memberOf(told)])),
    title === undefined ? {} : { title },
  )
}

/** Names of what stands in several places of the tree. */
const titles = new Map<object, string>([[match, 'OverlayMatch']])

function isValue(told: Told | Value | Members): told is Value {
  return Array.isArray(told)
}

/** What the page adds itself, from its other topics and its clock, is no part of the answer. */
const { live: _live, casters: _casters, control: _control, variables: _variables, time: _time, ...told } = described

export const OverlayDataView = Type.Unsafe<DataTree>({
  ...objectOf(told as unknown as Members),
  title: 'OverlayData',
  description: 'What scenes are bound to, as everybody may see it.',
})
