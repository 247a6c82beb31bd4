import type { SeatTeam } from './rows.ts'

/**
 * A seat that has a name and no team plays itself. Rows name it among players by a text of its own; what is shown of it is no user, but
 * the seat and its name. (match-flows: Details, 7; D82)
 */

const prefix = 'seat:'

/** The player of a seat that has a name alone; null for a seat with a team, whose players are its members. */
export function ownPlayer({ seat, team, members }: SeatTeam): string | null {
  return team === null && members.length === 0 ? `${prefix}${seat}` : null
}

/** The seat that plays itself; null for a user. */
export function seatOfPlayer(player: string): number | null {
  return player.startsWith(prefix) ? Number(player.slice(prefix.length)) : null
}
