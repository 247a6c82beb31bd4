import type { TournamentRole } from '../../core/roles.ts'

export interface RoleHolder {
  readonly userGuid: string
  readonly role: TournamentRole
}

/** A role that a user holds, with what profiles tell of the tournament. */
export interface HeldRole {
  readonly role: TournamentRole
  readonly tournament: {
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly status: string
    /** Stands on the system platform's public list. (D26) */
    readonly isListed: boolean
  }
}
