import { Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import { seatOfPlayer } from '../../../../engine/flows/players.ts'
import type { SeatTeam } from '../../../../engine/flows/rows.ts'

/**
 * A seat that has a name and no team has no user: wherever a user stands otherwise it is null, beside the seat and its name. (D82)
 */

export const playerMembers = {
  user: nullable(Guid, 'null where it is about no player, and for a seat that has a name and no team.'),
  name: nullable(
    Type.String({ examples: ['Blue'] }),
    'Of a seat that has a name and no team, in the place of a user; null for a seat with a team.',
  ),
}

/** Of a line-up. */
export const Players = Type.Array(nullable(Guid, 'null for a seat that has a name and no team.'), {
  description: 'GUIDs of users.',
})

export function userOf(player: string): string | null {
  return seatOfPlayer(player) === null ? player : null
}

/** Names of the seats that have no team. */
export type SeatNames = ReadonlyMap<number, string>

/** Those of a match of a bracket: each of its seats has a team. */
export const noSeatNames: SeatNames = new Map()

export function namesOf(seats: readonly Pick<SeatTeam, 'seat' | 'team' | 'name'>[]): SeatNames {
  return new Map(seats.flatMap(({ seat, team, name }) => (team === null ? [[seat, name] as const] : [])))
}

interface About {
  readonly user: string | null
  readonly seat: number | null
}

/** Whom a claim, a penalty or a warning is about. */
export function playerView({ user, seat }: About, names: SeatNames) {
  return { user: user === null ? null : userOf(user), seat, name: seat === null ? null : (names.get(seat) ?? null) }
}
