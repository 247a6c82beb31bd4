import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Listener } from '../db/listener.ts'

/**
 * Looks for jobs of all kinds for all workers of a process, and wakes the workers that have jobs to run. The library by
 * itself would listen on one connection for each kind, ask for all kinds at each new job, and have each worker ask
 * every few seconds.
 */
export interface Poller {
  /** @param channel of the notification */
  notified(channel: string, payload: string): void
  /** Looks for jobs now, because notifications may have been missed. */
  look(): void
  stop(): void
}

/** Workers of one kind of jobs, or of several kinds that share their slots. */
export interface WorkerGroup {
  readonly tasks: readonly string[]
  /** How many more jobs it can take now. */
  readonly free: () => number
  readonly relay: NotificationRelay
}

/** No notification announces jobs that are scheduled or retried, so the poller looks for them. */
const lookMs = 2_000
/** Looks that take longer than this, because very many jobs are waiting, use at most a fifth of the time. */
const quickMs = 10
const restFactor = 4

/** (graphile-worker 0.18: `runTaskListInternal`) */
const inserted = 'jobs:insert'
const migrated = 'worker:migrate'

/** The statement reads an index alone, which contains only waiting jobs. */
const due = `
  select tasks.identifier as task, waiting.count::int as count
  from (select task_id, count(*) from graphile_worker._private_jobs
        where is_available = true and run_at <= now() group by task_id) waiting
    join graphile_worker._private_tasks tasks on tasks.id = waiting.task_id`

export function startPoller(link: Listener, groups: readonly WorkerGroup[], onError: (error: Error) => void): Poller {
  const groupOf = new Map(groups.flatMap((group) => group.tasks.map((task) => [task, group] as const)))
  const stopping = new AbortController()
  const { signal } = stopping
  let isLooking = false
  let isAskedAgain = false

  /** One look at a time: a request during a look causes another one after it. */
  async function look(): Promise<void> {
    isAskedAgain = isLooking
    if (isLooking) return
    isLooking = true
    do {
      isAskedAgain = false
      const askedAt = performance.now()
      const found = await link.ask<{ readonly task: string; readonly count: number }>(due)
      if (found !== null && !signal.aborted) tell(found)
      const tookMs = performance.now() - askedAt
      if (tookMs > quickMs) await setTimeout(restFactor * tookMs, undefined, { signal, ref: false }).catch(() => {})
    } while (isAskedAgain && !signal.aborted)
    isLooking = false
  }

  /** Wakes the groups with waiting jobs. A full group looks by itself when one of its jobs is done. */
  function tell(found: readonly { readonly task: string; readonly count: number }[]): void {
    const counts = new Map<WorkerGroup, number>()
    for (const { task, count } of found) {
      const group = groupOf.get(task)
      if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + count)
    }
    for (const [group, waiting] of counts) {
      const count = Math.min(waiting, group.free())
      if (count > 0) relayTo(group.relay, inserted, JSON.stringify({ count }))
    }
  }

  /** Workers that have just failed reject the notification; they are about to start again. */
  function relayTo(relay: NotificationRelay, channel: string, payload: string): void {
    try {
      relay.pass(channel, payload)
    } catch (error) {
      onError(error as Error)
    }
  }

  const looks = setInterval(() => void look(), lookMs).unref()
  for (const channel of [inserted, migrated]) link.listen(`"${channel}"`)
  void look()
  return {
    notified(channel, payload) {
      if (channel === inserted) void look()
      else for (const { relay } of groups) relayTo(relay, channel, payload)
    },
    look: () => void look(),
    stop() {
      stopping.abort()
      clearInterval(looks)
    },
  }
}

/** Takes the place of the connection on which the library listens, and emits the notifications of the poller. */
export class NotificationRelay extends EventEmitter {
  /** The library sends LISTEN and UNLISTEN here; the poller listens already. */
  async query(): Promise<void> {}

  pass(channel: string, payload: string): void {
    this.emit('notification', { channel, payload })
  }
}

type Taken = (error: undefined, client: pg.PoolClient, release: () => void) => void

/**
 * The pool, except that the library gets the relay as the connection on which it listens; it asks for that one alone by
 * a callback. `max` is raised because the library warns of fewer connections than workers, although these need one for
 * a moment each.
 */
export function withRelay(pool: pg.Pool, relay: NotificationRelay, max: number): pg.Pool {
  const connect = (taken?: Taken) =>
    taken === undefined ? pool.connect() : taken(undefined, relay as unknown as pg.PoolClient, () => {})
  const options = { ...pool.options, max }
  return Object.assign(Object.create(pool) as pg.Pool, { connect, query: pool.query.bind(pool), options })
}
