import type { Db } from '../../db/database.ts'
import type { TouchingEvent } from './facts.ts'
import type { Act } from './judging.ts'

/** What is followed elsewhere by the rights that steps look after: ephemeral topics. */
export interface Beside {
  /** Whether anything is. */
  readonly isFollowed: boolean
  /** Judges anew whomever the events concern; answers what is to be done once everything is read. */
  heed(events: readonly TouchingEvent[], db: Db): Promise<Act[]>
  /** Called after each step: whatever is durable was told as it is since the event of this number. */
  settle?(seq: number): void
}
