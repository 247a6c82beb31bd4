import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { deleteInBatches } from '../jobs/batches.ts'
import type { Job } from '../jobs/jobs.ts'
import { earlierRows } from './tables.ts'

/** The longest delay that there is, and two minutes. (RT41) */
const kept = sql.raw(`interval '1920 seconds'`)

async function deleteOld(tx: Tx, limit: number): Promise<number> {
  const old = sql`select ctid from ${earlierRows} where ${earlierRows.until} < now() - ${kept} limit ${limit}`
  const { rowCount } = await tx.session.orm.delete(earlierRows).where(inArray(sql`ctid`, sql`(${old})`))
  return rowCount ?? 0
}

const sweep: Job = {
  name: 'delay.sweep',
  cron: '*/10 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOld),
}

/** What is kept for viewers of streams that are behind, as the composition root sees it. */
export const delay = { name: 'delay', jobs: [sweep] }
