import type { SeatTeam } from './rows.ts'

/**
 * A seat with a name and no team plays itself. Rows have a text such as `seat:3` in place of a user's GUID. Responses
 * show the seat and its name, and no user. (match-flows: Details, 7; D82)
 */

const prefix = 'seat:'

/** The player of a seat that has only a name; null for a seat with a team, whose players are its members. */
export function ownPlayer({ seat, team, members }: SeatTeam): string | null {
  return team === null && members.length === 0 ? `${prefix}${seat}` : null
}

/** The seat of a player text such as `seat:3`; null for a user's GUID. */
export function seatOfPlayer(player: string): number | null {
  return player.startsWith(prefix) ? Number(player.slice(prefix.length)) : null
}
