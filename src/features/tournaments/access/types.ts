import type { TournamentRole } from '../../../core/roles.ts'
import type { Db } from '../../../infra/db/database.ts'

export interface RoleHolder {
  readonly userGuid: string
  readonly role: TournamentRole
}

/**
 * Returns the names of operations that nobody can use in a tournament because something they need is missing elsewhere.
 */
export type Unusable = (db: Db, tournamentGuid: string) => Promise<readonly string[]>
