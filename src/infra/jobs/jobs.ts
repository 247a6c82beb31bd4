import { sql } from 'drizzle-orm'
import { type LogFunctionFactory, parseCronItems, type Runner, run, Logger as WorkerLogger } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Effects } from '../../core/operation.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Logger } from '../log.ts'

/**
 * Work that happens after the answer. A job is enqueued in the transaction of its cause, so that there is neither a
 * cause without its job nor a job without its cause; it runs at least once.
 */

/** What a job acts through: transactions of its own, and the outside world between them. */
export interface JobContext {
  readonly database: Database
  readonly log: Logger
  readonly services: Effects['services']
  readonly clients: Effects['clients']
  readonly now: () => Date
}

export interface Job {
  /** `slice.verb` */
  readonly name: string
  /** A crontab pattern (UTC) for jobs that come by themselves. */
  readonly cron?: string
  readonly run: (payload: unknown, context: JobContext) => Promise<void>
}

export interface Enqueued {
  readonly payload?: Readonly<Record<string, unknown>>
  /** A job with the same key that has not started is replaced. */
  readonly key?: string
  /** Jobs of one queue run one after the other. */
  readonly queue?: string
  readonly runAt?: Date
  readonly maxAttempts?: number
}

export async function enqueue(tx: Tx, name: string, options: Enqueued = {}): Promise<void> {
  const { payload = {}, key = null, queue = null, runAt = null, maxAttempts = null } = options
  await tx.session.orm.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, queue_name := ${queue}, run_at := ${runAt?.toISOString() ?? null}::timestamptz, max_attempts := ${maxAttempts}, job_key := ${key})`,
  )
}

export async function startJobs(
  jobs: readonly Job[],
  context: JobContext,
  pool: Pool,
  concurrency: number,
): Promise<Runner> {
  return run({
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: new WorkerLogger(workerLog(context.log)),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, (payload: unknown) => job.run(payload, context)])),
    parsedCronItems: parseCronItems(
      jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ task: name, match: cron, identifier: name }])),
    ),
  })
}

/** Payloads may hold what users sent, so that only the worker's own words are logged. */
function workerLog(log: Logger): LogFunctionFactory {
  return () => (level, message) => {
    if (level === 'error') log.error({ worker: message }, 'job failed')
    else if (level === 'warning') log.warn({ worker: message }, 'job')
    else log.debug({ worker: message }, 'job')
  }
}
