import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { Team } from '../types.ts'
import { isDefaultName } from './teams.ts'

/** Somebody who gives up their account, as far as teams know them. */
export interface Leaver {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
}

/** A team that a leaver is in, or that bears their chat-platform ID, with what decides on its future. */
export interface TeamOfLeaver {
  readonly team: Pick<Team, 'guid' | 'tournamentGuid' | 'id' | 'name' | 'status' | 'captainGuid'>
  readonly tournamentStatus: Tournament['status']
  /** Whether the leaver is on the field; null where they are no member. */
  readonly isActive: boolean | null
  readonly memberGuids: readonly string[]
  /** Who would be captain next: of those who still have an account, and are not banned if possible, the first to join. */
  readonly successorGuid: string | null
}

/** `stay`: as a name without a person. `pass`: the successor becomes the captain. `dissolve`: the team goes with them. */
export type Parting = 'stay' | 'leave' | 'pass' | 'dissolve'

/**
 * Whoever gives up their account leaves the teams that are still being formed. A captain's place passes to the member
 * who joined first; a team that nobody else is in is deleted as long as its captain could delete it, and otherwise stays
 * as part of what was played. A registered team keeps its roster, which is the organiser's to change (D45), and so does
 * every team of a tournament that is over (D25). (D35)
 */
export function partingOf(
  { team, tournamentStatus, isActive, successorGuid }: TeamOfLeaver,
  { guid }: Leaver,
): Parting {
  const isOver = tournamentStatus === 'completed' || tournamentStatus === 'cancelled'
  if (isActive === null || isOver || team.status !== 'unregistered') return 'stay'
  if (team.captainGuid !== guid) return 'leave'
  if (successorGuid !== null) return 'pass'
  return tournamentStatus === 'ongoing' ? 'stay' : 'dissolve'
}

/** A short id that was made of the leaver's chat-platform ID goes with their account. (D35) */
export function tellsChatId({ team: { id } }: TeamOfLeaver, { chatPlatformId }: Leaver): boolean {
  return id === chatPlatformId || id.startsWith(`${chatPlatformId}-`)
}

/**
 * So does the name of a team of theirs that is their own or was made of it, perhaps before they changed it. Teams of
 * others keep the names that these others play under. (D35)
 */
export function tellsName({ team }: TeamOfLeaver, { guid, username, preferredName }: Leaver): boolean {
  const isOwn = [username, preferredName].some((own) => own.toLowerCase() === team.name.toLowerCase())
  return team.captainGuid === guid && (isOwn || isDefaultName(team.name))
}

/** A name that tells nothing, in its short form and in one that no other team can have. */
export function namelessTeam(teamGuid: string): {
  readonly id: string
  readonly name: string
  readonly longName: string
} {
  const digits = teamGuid.replaceAll('-', '')
  return { id: digits, name: `Team ${digits.slice(0, 8)}`, longName: `Team ${digits}` }
}
