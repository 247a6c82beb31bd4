import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { MakingPosition } from '../../core/page.ts'

/** Lists in the order of creation. */

interface Made {
  readonly createdAt: AnyPgColumn
  readonly guid: AnyPgColumn
}

/** The condition for the next page of a list with the newest first; undefined, no condition, for the first page. */
export function madeBefore({ createdAt, guid }: Made, position: MakingPosition | undefined): SQL | undefined {
  return position && sql`(${createdAt}, ${guid}) < ${row(position)}`
}

/** The condition for the next page of a list with the oldest first. */
export function madeAfter({ createdAt, guid }: Made, position: MakingPosition | undefined): SQL | undefined {
  return position && sql`(${createdAt}, ${guid}) > ${row(position)}`
}

function row([madeAt, guid]: MakingPosition): SQL {
  return sql`(${madeAt}::timestamptz, ${guid}::uuid)`
}
