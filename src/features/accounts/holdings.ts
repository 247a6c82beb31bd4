import type { Db, Tx } from '../../infra/db/database.ts'
import { listDeedsOf } from '../../infra/events/read.ts'
import type { User } from '../users/types.ts'

/**
 * What a slice keeps about users. Each declares its own beside its tables, for the two who ask: the user who wants to see
 * it, and the user who wants it gone. (additions: Users; D35)
 */
export interface Holdings {
  /** By the names that the export gives them: the newest `limit` records, without secrets and names of others. */
  readonly sections: Readonly<Record<string, Section>>
  /**
   * Deletes what is the user's alone, and takes them out of what others go on with. Their record, which is locked, still
   * tells who they were.
   */
  readonly forget?: (tx: Tx, user: User, now: Date) => Promise<void>
}

export type Section = (db: Db, userGuid: string, limit: number) => Promise<readonly object[]>

/** The log is kept as it is: it names users by GUID alone. */
export const activity: Holdings = { sections: { activity: listDeedsOf } }
