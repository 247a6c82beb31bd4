import { getTableColumns } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type TObject, type TSchema, Type } from 'typebox'
import type { Inner } from '../../../../core/packages/marks.ts'
import type { Hints, Row } from './brings.ts'
import type { Kind } from './kind.ts'

/**
 * Fills up rows of packages that lack members: what everybody may read, what has no names, and what an earlier version made.
 * They get what the operations of the service give by default. (P6)
 */

/** The members of a row of a full package that a package may lack. */
function fillableOf(kind: Kind): ReadonlySet<string> {
  const { properties } = schemaOf(kind)
  const required: readonly string[] = schemaOf(kind).required ?? []
  const { lacks = {}, byCaller = [] } = kind.brings
  const columns = getTableColumns(kind.source.table) as Readonly<Record<string, PgColumn>>
  const names = Object.entries(properties).flatMap(([name, schema]) =>
    !required.includes(name) || isNullable(schema) || columns[name]?.hasDefault === true ? [name] : [],
  )
  return new Set([...names, ...Object.keys(lacks), ...byCaller])
}

/** The schema of rows that an earlier version has made. */
export function lenient(kind: Kind, schema: TObject): TObject {
  const fillable = fillableOf(kind)
  const properties = Object.entries(schema.properties).map(([name, each]) => [
    name,
    fillable.has(name) ? Type.Optional(each) : each,
  ])
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false })
}

type Fill = (row: Row, hints: Hints) => Row | null

/** Makes rows whole; null for a row that needs a member which the package does not tell. */
export function fillerOf(kind: Kind): Fill {
  const { form, lacks = {} } = kind.brings
  const fillable = fillableOf(kind)
  const members = Object.entries(schemaOf(kind).properties)
  return (row, hints) => {
    const whole: Record<string, unknown> = { ...(form?.(row, hints) ?? row) }
    for (const [name, schema] of members) {
      if (Object.hasOwn(whole, name)) continue
      if (!fillable.has(name)) return null
      const fill = lacks[name]
      const value = fill === undefined && isNullable(schema) ? null : fill?.(row, hints)
      if (value !== undefined) whole[name] = value
      else if (fill !== undefined) return null
    }
    return whole
  }
}

function schemaOf(kind: Kind): TObject {
  const schema = kind.schema('full')
  if (schema === null) throw new Error('a full package has all kinds')
  return schema
}

function isNullable(schema: TSchema): boolean {
  const { type, anyOf = [] } = schema as Inner
  return [type].flat().includes('null') || anyOf.some(isNullable)
}
