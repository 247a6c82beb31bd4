import { sql } from 'drizzle-orm'
import type { Queue, Waiting } from '../health/types.ts'

/** Jobs that are due and run nowhere; those that have failed wait for their next attempt. */
export const jobsQueue: Queue = {
  name: 'jobs',
  help: 'Work that follows from changes, such as mails and imports.',
  read: async (db) => {
    const { rows } = await db.session.orm.execute<Waiting & Record<string, unknown>>(sql`
      select count(*)::int as waiting,
        coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0)::float8 as "oldestSeconds"
      from graphile_worker.jobs where locked_at is null and run_at <= clock_timestamp() and attempts < max_attempts`)
    return rows[0] ?? { waiting: 0, oldestSeconds: 0 }
  },
}
