import type { Db } from '../db/database.ts'
import type { FollowerState } from '../events/positions.ts'
import type { Refused } from '../http/limits.ts'

/** What is known of whether the service is well: for `doctor`, `/readyz`, the metrics and administrators. */

export type Verdict = 'ok' | 'warn' | 'FAIL'

export interface Check {
  readonly verdict: Verdict
  readonly what: string
  readonly detail: string
  /** What to do about it; null where all is well. */
  readonly advice: Advice | null
}

export interface Advice {
  readonly text: string
  /** The heading in `docs/guide/operate.md` that tells more. */
  readonly section: string
}

/** What waits to be sent or done. */
export interface Queue {
  /** As metrics name it. */
  readonly name: string
  readonly help: string
  readonly read: (db: Db) => Promise<Waiting>
}

export interface Waiting {
  readonly waiting: number
  /** How long the one that has waited longest has been due; 0 for none. */
  readonly oldestSeconds: number
}

export interface QueueState extends Waiting {
  readonly name: string
  readonly help: string
}

export interface DatabaseState {
  readonly version: string
  /** Connections of all clients. */
  readonly clients: number
  readonly maxClients: number
  /** How far its clock is from the one of this process. */
  readonly skewMs: number
  readonly bytes: number
}

/** Room of the disk that has the data directory. */
export interface Room {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** What a process counts since its start. */
export interface Process {
  readonly startedAt: Date
  readonly sockets: number
  readonly maxSockets: number
  /** Transactions that wait for a connection of the pool. */
  readonly requestsWaiting: number
  /** Calls that the rate limits have refused, by budget. */
  readonly refused: ReadonlyMap<string, Refused>
}

export interface Health {
  /** Of the program and of Node.js. */
  readonly versions: { readonly service: string; readonly node: string }
  /** `ready`, or why this process should get no requests. */
  ready(): Promise<string>
  followers(): Promise<readonly FollowerState[]>
  readonly watched: readonly Queue[]
  waiting(queue: Queue): Promise<Waiting>
  queues(): Promise<readonly QueueState[]>
  process(): Process
  read(now: Date): Promise<HealthReport>
}

export interface HealthReport {
  /** What is wrong first. */
  readonly checks: readonly Check[]
  readonly followers: readonly FollowerState[]
  readonly queues: readonly QueueState[]
  readonly database: DatabaseState
  /** null where there is no data directory. */
  readonly room: Room | null
  readonly media: { readonly files: number; readonly bytes: number; readonly isInBucket: boolean }
  readonly process: Process
}
