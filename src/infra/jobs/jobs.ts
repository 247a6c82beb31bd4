import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import {
  type LogFunctionFactory,
  parseCronItems,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker'
import type pg from 'pg'
import type { Effects } from '../../core/operation.ts'
import { type Database, endPool, type Tx } from '../db/database.ts'
import { Listener } from '../db/listener.ts'
import type { Logger } from '../log.ts'
import { type Liveness, openLiveness, type Pool } from './liveness.ts'
import { NotificationRelay, type Poller, startPoller, type WorkerGroup, withRelay } from './poller.ts'

/**
 * Jobs: work that happens after the response. A job is enqueued in the transaction of its cause, so that both are
 * committed or neither. A job runs at least once.
 */

/** What a job works with: it opens transactions of its own, and calls other services between them. */
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
  /** A crontab pattern (UTC), for jobs that run on a schedule. */
  readonly cron?: string
  /**
   * How many of this job may run at the same time in a process, in addition to all other jobs. For jobs that wait for
   * other servers. Without it, the job uses the shared slots.
   */
  readonly slots?: number
  readonly run: (payload: unknown, context: JobContext) => Promise<void>
}

export interface Enqueued {
  readonly payload?: Readonly<Record<string, unknown>>
  readonly runAt?: Date
}

export async function enqueue(tx: Tx, name: string, options: Enqueued = {}): Promise<void> {
  const { payload = {}, runAt = null } = options
  await tx.session.orm.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, run_at := ${runAt?.toISOString() ?? null}::timestamptz)`,
  )
}

/** Enqueues one job for each payload, with a single statement. */
export async function enqueueEach(tx: Tx, name: string, payloads: readonly Enqueued['payload'][]): Promise<void> {
  if (payloads.length === 0) return
  await tx.session.orm.execute(
    sql`select graphile_worker.add_job(${name}, payload := p.payload) from json_array_elements(${JSON.stringify(payloads)}::json) p (payload)`,
  )
}

export interface JobsOptions {
  readonly context: JobContext
  /** For the connection that is not taken from a pool. */
  readonly connection: pg.ClientConfig
  /** The number of slots for the jobs without slots of their own. */
  readonly concurrency: number
  /** The maximum of slots for each kind of job, however many the job asks for. */
  readonly maxSlots?: number | undefined
}

interface Running {
  stop(): Promise<void>
}

/** How many statements the workers run at the same time, to take jobs and to mark them as done. */
const maxStatements = 2

/** Runs jobs until it is stopped. `stop` waits until the running jobs are finished and marked as finished. */
export async function startJobs(jobs: readonly Job[], options: JobsOptions): Promise<Running> {
  const { context, connection, concurrency, maxSlots = Number.POSITIVE_INFINITY } = options
  const onError = (error: Error) => context.log.error({ err: error }, 'jobs')
  let poller: Poller | undefined
  const link: Listener = new Listener({
    connection,
    name: 'downbeat workers',
    onError,
    onNotice: (channel, payload) => poller?.notified(channel, payload),
    onMissed() {
      liveness.lockPoolsAgain()
      poller?.look()
    },
  })
  const liveness = openLiveness(link, context.database, onError)
  const shared = jobs.filter(({ slots }) => slots === undefined)
  const groups = [
    { jobs: shared, concurrency },
    ...jobs.flatMap((job) => (job.slots === undefined ? [] : [{ jobs: [job], concurrency: job.slots }])),
  ]
  const pool = context.database.openPool(maxStatements)
  const running: Workers[] = []
  async function stop(): Promise<void> {
    poller?.stop()
    await Promise.all(running.map((workers) => workers.stop()))
    await endPool(pool)
    liveness.close()
    await link.close()
  }
  try {
    for (const group of groups) {
      if (group.jobs.length === 0) continue
      const slots = Math.min(group.concurrency, maxSlots)
      running.push(await startWorkers(group.jobs, { ...options, concurrency: slots, liveness, pool }))
    }
  } catch (error) {
    await stop()
    throw error
  }
  poller = startPoller(
    link,
    running.map(({ group }) => group),
    onError,
  )
  return { stop }
}

const restartMs = 1_000
/**
 * The interval in which workers look by themselves. It is long because the poller wakes the workers when there are
 * jobs.
 */
const pollMs = 3_600_000

async function startWorkers(
  jobs: readonly Job[],
  options: JobsOptions & { readonly liveness: Liveness; readonly pool: pg.Pool },
): Promise<Workers> {
  const { context, pool, concurrency, liveness } = options
  const { log } = context
  const relay = new NotificationRelay()
  let isStopping = false

  async function begin(): Promise<Round> {
    const events: WorkerEvents = new EventEmitter()
    const held: Held = { context }
    const isAbandoned = abandonment(events)
    let own: Pool | undefined
    // The database names the worker that runs a job by the id of its pool.
    events.on('pool:create', ({ workerPool }) => {
      own = liveness.add(workerPool.id)
    })
    let busy = 0
    events.on('job:start', ({ job }) => {
      busy++
      own?.begin(job.id)
    })
    events.on('job:complete', ({ job }) => {
      busy--
      own?.finish(job.id)
    })
    const runner = await run({
      pgPool: withRelay(pool, relay, concurrency),
      concurrency,
      noHandleSignals: true,
      pollInterval: pollMs,
      events,
      // By default the library marks jobs as done in the background: a stop would come before that, and the job would
      // run again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new WorkerLogger(workerLog(log)),
      taskList: taskListOf(jobs, held),
      parsedCronItems: parseCronItems(
        jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ task: name, match: cron, identifier: name }])),
      ),
    })
    const stop = () => runner.stop().catch(() => {})
    const ended = Promise.race([runner.promise, isAbandoned.then(stop)])
      .catch((error: unknown) => log.error({ err: error }, 'jobs'))
      .finally(() => {
        own?.end()
        held.context = null
        events.removeAllListeners()
      })
    return { ended, stop, free: () => concurrency - busy }
  }

  /**
   * Starts the workers again after they end. They end when a job cannot be marked as done because the database is
   * unreachable.
   */
  async function restartWhenEnded(first: Round): Promise<void> {
    for (let round: Round | null = first; ; ) {
      await round?.ended
      if (isStopping) return
      await setTimeout(restartMs)
      if (isStopping) return
      round = current = await begin().catch(() => null)
      // `stop` was called during `begin`, and has stopped the previous round only.
      if (isStopping) await round?.stop()
    }
  }

  let current: Round | null = await begin()
  const running = restartWhenEnded(current)
  return {
    group: { tasks: jobs.map(({ name }) => name), free: () => current?.free() ?? 0, relay },
    async stop() {
      isStopping = true
      await current?.stop()
      await running
    },
  }
}

interface Workers extends Running {
  readonly group: WorkerGroup
}

/** The workers from one start until they end. */
interface Round {
  /** Resolves when the workers have ended, for any reason. */
  readonly ended: Promise<void>
  readonly stop: () => Promise<void>
  /** The number of workers without a job. */
  readonly free: () => number
}

/**
 * Resolves when the workers have stopped because jobs could not be marked as done. After several such failures the
 * library counts the running jobs below zero, and never reports that it has ended. (graphile-worker 0.18: `batch`)
 */
function abandonment(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    let [hasFailed, isAtRest] = [false, false]
    events.on('pool:fatalError', () => {
      hasFailed = true
      if (isAtRest) resolve()
    })
    const rest = () => {
      isAtRest = true
      if (hasFailed) resolve()
    }
    for (const event of ['pool:gracefulShutdown:complete', 'pool:forcefulShutdown:complete'] as const) {
      events.on(event, rest)
    }
    events.on('pool:forcefulShutdown:error', rest)
  })
}

/**
 * The context of the jobs; null once the workers have ended, because the library keeps the task list until the process
 * ends.
 */
interface Held {
  context: JobContext | null
}

function taskListOf(jobs: readonly Job[], held: Held): TaskList {
  const taskOf =
    (job: Job): Task =>
    async (payload) => {
      if (held.context === null) throw new Error('the workers have ended')
      await job.run(payload, held.context)
    }
  return Object.fromEntries(jobs.map((job) => [job.name, taskOf(job)]))
}

/** Payloads may contain what users sent, so only the message of the library is logged. */
function workerLog(log: Logger): LogFunctionFactory {
  return () => (level, message) => {
    if (level === 'error') log.error({ worker: message }, 'job failed')
    else if (level === 'warning') log.warn({ worker: message }, 'job')
    else log.debug({ worker: message }, 'job')
  }
}
