import type { TournamentRole } from '../../../core/roles.ts'
import type { Db } from '../../../infra/db/database.ts'

export interface RoleHolder {
  readonly userGuid: string
  readonly role: TournamentRole
}

/** Names of operations that nobody can use in a tournament, for want of what they need elsewhere. */
export type Unusable = (db: Db, tournamentGuid: string) => Promise<readonly string[]>
