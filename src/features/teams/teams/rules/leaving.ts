import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { Team } from '../types.ts'
import { isDefaultName } from './teams.ts'

/** A user who deletes their account, with the data that teams may contain. */
export interface Leaver {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
}

/**
 * A team that the leaver is in, or whose short id contains their chat-platform ID, with the facts that decide what
 * happens to it.
 */
export interface TeamOfLeaver {
  readonly team: Pick<Team, 'guid' | 'tournamentGuid' | 'id' | 'name' | 'status' | 'captainGuid'>
  readonly tournamentStatus: Tournament['status']
  /** Whether the leaver is active; null if they are not a member. */
  readonly isActive: boolean | null
  readonly memberGuids: readonly string[]
  /**
   * The next captain: the member who joined first, among those with an account, not banned if possible. null if there
   * is none.
   */
  readonly successorGuid: string | null
}

/**
 * `stay`: the leaver stays as a member without a name. `pass`: the successor becomes captain. `dissolve`: the team is
 * deleted.
 */
export type Parting = 'stay' | 'leave' | 'pass' | 'dissolve'

/**
 * Decides what happens to a team when the leaver deletes their account. They leave teams that are not registered. If
 * the leaver is the captain, the member who joined first becomes captain; a team without other members is deleted while
 * its captain could delete it, else it stays as part of what was played. A registered team keeps its roster, which only
 * the organiser may change (D45), and so does every team of a tournament that is over (D25). (D35)
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

/** Whether the team's short id was derived from the leaver's chat-platform ID; it is then replaced. (D35) */
export function revealsChatId({ team: { id } }: TeamOfLeaver, { chatPlatformId }: Leaver): boolean {
  return id === chatPlatformId || id.startsWith(`${chatPlatformId}-`)
}

/**
 * Whether the leaver's own team has their name, or a default name that was derived from theirs, perhaps before they
 * changed it; it is then replaced. Teams of other captains keep their names. (D35)
 */
export function revealsName({ team }: TeamOfLeaver, { guid, username, preferredName }: Leaver): boolean {
  const isOwn = [username, preferredName].some((own) => own.toLowerCase() === team.name.toLowerCase())
  return team.captainGuid === guid && (isOwn || isDefaultName(team.name))
}

/** A neutral id and name for a team, and a longer name that no other team can have. */
export function namelessTeam(teamGuid: string): {
  readonly id: string
  readonly name: string
  readonly longName: string
} {
  const digits = teamGuid.replaceAll('-', '')
  return { id: digits, name: `Team ${digits.slice(0, 8)}`, longName: `Team ${digits}` }
}
