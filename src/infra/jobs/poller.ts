import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Listener } from '../db/listener.ts'

/**
 * Looks for jobs on behalf of all workers of a process, of whatever kind, and has those look who have something to do. The library
 * by itself would listen on a connection for each kind, ask for all kinds whenever there is a new job of any, and have each
 * worker ask every few seconds.
 */
export interface Poller {
  /** @param channel that something was notified on */
  notified(channel: string, payload: string): void
  /** Messages may have been missed. */
  look(): void
  stop(): void
}

/** Workers of one kind of jobs, or of several that share their places. */
export interface WorkerGroup {
  readonly tasks: readonly string[]
  /** How many more jobs it could take now. */
  readonly free: () => number
  readonly relay: NotificationRelay
}

/** Jobs that fall due by the clock, as those that failed and are tried again, are told of by nobody. */
const lookMs = 2_000
/** Looks that take longer, since very many jobs are waiting, take a fifth of the time at most. */
const quickMs = 10
const restFactor = 4

/** (graphile-worker 0.18: `runTaskListInternal`) */
const inserted = 'jobs:insert'
const migrated = 'worker:migrate'

/** Answered from an index alone, in which there are no jobs but those that wait. */
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

  /** One at a time: whoever asks meanwhile is answered by the next. */
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

  /** Groups that are full look by themselves, when one of their jobs is done. */
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

  /** Workers that have just failed refuse to be told; they are about to begin anew. */
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

/** Stands in for the connection on which the library listens: it passes on what the poller tells it. */
export class NotificationRelay extends EventEmitter {
  /** LISTEN and UNLISTEN, which the poller has seen to. */
  async query(): Promise<void> {}

  pass(channel: string, payload: string): void {
    this.emit('notification', { channel, payload })
  }
}

type Taken = (error: undefined, client: pg.PoolClient, release: () => void) => void

/**
 * The pool, but for the connection on which the library listens: that alone it asks for by a callback. It warns of fewer connections
 * than workers; these need one for a moment each.
 */
export function withRelay(pool: pg.Pool, relay: NotificationRelay, max: number): pg.Pool {
  const connect = (taken?: Taken) =>
    taken === undefined ? pool.connect() : taken(undefined, relay as unknown as pg.PoolClient, () => {})
  const options = { ...pool.options, max }
  return Object.assign(Object.create(pool) as pg.Pool, { connect, query: pool.query.bind(pool), options })
}
