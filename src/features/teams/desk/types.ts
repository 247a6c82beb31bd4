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

export interface Captain {
  readonly teamGuid: string
  readonly captainGuid: string
  /** Placeholders and deleted accounts read no notifications. */
  readonly hasAccount: boolean
}

/** To how many teams a message went, and the GUIDs of those whose captain has no account. */
export interface Messaged {
  readonly sent: number
  readonly unreached: readonly string[]
}
