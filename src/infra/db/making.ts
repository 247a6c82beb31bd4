import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { MakingPosition } from '../../core/page.ts'

/** Lists in the order of making. */

interface Made {
  readonly createdAt: AnyPgColumn
  readonly guid: AnyPgColumn
}

/** Where a list goes on that has its newest first; undefined, which leaves nothing out, where it begins. */
export function madeBefore({ createdAt, guid }: Made, position: MakingPosition | undefined): SQL | undefined {
  return position && sql`(${createdAt}, ${guid}) < ${row(position)}`
}

/** Where a list goes on that has its oldest first. */
export function madeAfter({ createdAt, guid }: Made, position: MakingPosition | undefined): SQL | undefined {
  return position && sql`(${createdAt}, ${guid}) > ${row(position)}`
}

function row([madeAt, guid]: MakingPosition): SQL {
  return sql`(${madeAt}::timestamptz, ${guid}::uuid)`
}
