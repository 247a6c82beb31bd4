import type { TournamentRole } from '../../../core/roles.ts'

export interface RoleHolder {
  readonly userGuid: string
  readonly role: TournamentRole
}
