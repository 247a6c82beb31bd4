import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type TSchema, Type } from 'typebox'
import { hasFormat, impersonal, type Personal } from '../../../../core/packages/marks.ts'
import { Guid, Instant } from '../../../../core/schema.ts'
import { packagePeople } from '../tables.ts'
import { Counter, wholeUpTo } from './bounds.ts'

interface Ordered {
  readonly value: SQL
  readonly schema: TSchema
  readonly personal?: Personal
}

interface Order {
  /** GUID. */
  readonly tournament: string
  /** Of packages without names: rows are in the order of the GUIDs that replace theirs. */
  readonly key: Buffer | null
}

/** Texts are in the order of their bytes, people in that of the GUIDs that the package calls them by. */
export function orderOf({ value, schema, personal }: Ordered, { tournament, key }: Order): SQL {
  if (hasFormat(schema, 'uuid')) {
    const named = personal === 'id' ? packagedPerson(value, tournament) : value
    return key === null ? named : sql`sha256(${key}::bytea || uuid_send(${named}))`
  }
  const { type, format } = schema as { readonly type?: unknown; readonly format?: unknown }
  const isText = [type].flat().includes('string') && format === undefined
  return isText ? sql`${value} collate "C"` : value
}

const packagedPerson = (value: SQL, tournament: string): SQL =>
  sql`coalesce((select p.package_guid from ${packagePeople} p
    where p.tournament_guid = ${tournament} and p.user_guid = ${value}), ${value})`

const maxSmall = 32_767

/** The schema of what a column holds. */
export function typeOf(column: PgColumn): TSchema {
  const type = column.getSQLType()
  if (type === 'uuid') return Guid
  if (type === 'uuid[]') return Type.Array(Guid)
  if (type === 'text') return Type.String()
  if (type === 'text[]') return Type.Array(Type.String())
  if (type === 'integer') return Counter
  if (type === 'smallint') return wholeUpTo(maxSmall)
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
