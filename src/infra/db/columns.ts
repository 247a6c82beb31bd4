import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Columns that most tables have. */

export const guid = () => uuid().primaryKey().default(sql`gen_random_uuid()`)

/** An instant with milliseconds, the precision of the API. (D7) */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

/** Of a row that is made in a rehearsal, by its clock. (R2) */
export const createdAt = () => instant().notNull().default(sql`local_now()`)

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * Index key of an address: addresses may be longer than an index entry allows. Queries must compare the addresses too.
 */
export function addressKey(address: AnyPgColumn | SQL): SQL {
  return sql`md5(${address})`
}
