import type { Team } from '../teams/types.ts'

/** `ready`: could be registered now. `blocked`: is not eligible. `changed`: changed since its registration. */
export const deskFilters = ['ready', 'blocked', 'changed'] as const
export type DeskFilter = (typeof deskFilters)[number]

export interface Note {
  readonly note: string
  readonly updatedAt: Date
}

/** A team as the desk shows it, without the verdict. */
export interface DeskTeam {
  readonly team: Team
  /** When it last changed after its registration; null if it has not. */
  readonly changedAt: Date | null
  readonly note: Note | null
}
