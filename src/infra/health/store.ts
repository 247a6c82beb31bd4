import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { mediaQuotas } from '../media/tables.ts'

/** All media together, as the quotas of their owners count them. */
export async function sumOfMedia(db: Db): Promise<{ readonly files: number; readonly bytes: number }> {
  const [row] = await db.session.orm
    .select({
      files: sql<number>`coalesce(sum(${mediaQuotas.usedFiles}), 0)`.mapWith(Number),
      bytes: sql<number>`coalesce(sum(${mediaQuotas.usedBytes}), 0)`.mapWith(Number),
    })
    .from(mediaQuotas)
  return row ?? { files: 0, bytes: 0 }
}
