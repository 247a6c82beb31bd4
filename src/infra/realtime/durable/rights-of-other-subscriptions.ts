import type { Db } from '../../db/database.ts'
import type { TouchingEvent } from './facts.ts'
import type { Act } from './rights-checks.ts'

/** Subscriptions outside the feed whose rights are checked in its steps: ephemeral topics and documents. */
export interface Beside {
  /** Whether there are any. */
  readonly isFollowed: boolean
  /** Checks the rights of the followers that the events concern; returns the actions to take after all reads. */
  heed(events: readonly TouchingEvent[], db: Db): Promise<Act[]>
  /** Called after each step: durable topics have been sent up to the event of this number. */
  settle?(seq: number): void
}
