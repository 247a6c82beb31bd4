import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type TSchema, Type } from 'typebox'
import { hasFormat, impersonal } from '../../../../core/packages/marks.ts'
import { Guid, Instant } from '../../../../core/schema.ts'

interface Ordered {
  readonly value: SQL
  readonly schema: TSchema
}

/**
 * Texts are in the order of their bytes.
 * @param key of packages without names: rows are in the order of the GUIDs that replace theirs
 */
export function orderOf({ value, schema }: Ordered, key: Buffer | null): SQL {
  if (key !== null && hasFormat(schema, 'uuid')) return sql`sha256(${key}::bytea || uuid_send(${value}))`
  const { type, format } = schema as { readonly type?: unknown; readonly format?: unknown }
  const isText = [type].flat().includes('string') && format === undefined
  return isText ? sql`${value} collate "C"` : value
}

/** The schema of what a column holds. */
export function typeOf(column: PgColumn): TSchema {
  const type = column.getSQLType()
  if (type === 'uuid') return Guid
  if (type === 'uuid[]') return Type.Array(Guid)
  if (type === 'text') return Type.String()
  if (type === 'text[]') return Type.Array(Type.String())
  if (type === 'integer' || type === 'smallint') return Type.Integer()
  if (type === 'double precision' || type === 'real') return Type.Number()
  if (type === 'boolean') return Type.Boolean()
  if (type === 'bytea')
    return impersonal('digest', Type.String({ pattern: '^[0-9a-f]*$', description: 'Bytes, in hex.' }))
  if (type.startsWith('timestamp')) return Instant
  throw new TypeError(`${column.name} of type ${type} needs a schema`)
}

/** The GUIDs of people in a value, one in each row. */
export function peopleIn(value: SQL, path: string, schema: TSchema): SQL {
  const { type } = schema as { readonly type?: unknown }
  if (path !== 'self') return sql`(jsonb_path_query(${value}, ${path}::jsonpath) #>> '{}')::uuid`
  return [type].flat().includes('array') ? sql`unnest(${value})` : value
}
