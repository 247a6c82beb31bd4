import { Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import { seatOfPlayer } from '../../../../engine/flows/players.ts'
import type { SeatTeam } from '../../../../engine/flows/rows.ts'

/** A seat with a name and no team has no user: its `user` is null, and its seat and name are given. (D82) */

export const playerMembers = {
  user: nullable(Guid, 'null where it is about no player, and for a seat that has a name and no team.'),
  name: nullable(
    Type.String({ examples: ['Blue'] }),
    'Of a seat that has a name and no team, in the place of a user; null for a seat with a team.',
  ),
}

/** The players of a line-up. */
export const Players = Type.Array(nullable(Guid, 'null for a seat that has a name and no team.'), {
  description: 'GUIDs of users.',
})

export function userOf(player: string): string | null {
  return seatOfPlayer(player) === null ? player : null
}

/** Names of the seats without a team. */
export type SeatNames = ReadonlyMap<number, string>

/** A match of a bracket has no seat names, since each of its seats has a team. */
export const noSeatNames: SeatNames = new Map()

export function namesOf(seats: readonly Pick<SeatTeam, 'seat' | 'team' | 'name'>[]): SeatNames {
  return new Map(seats.flatMap(({ seat, team, name }) => (team === null ? [[seat, name] as const] : [])))
}

interface About {
  readonly user: string | null
  readonly seat: number | null
}

/** The player that a claim, a penalty or a warning is about. */
export function playerView({ user, seat }: About, names: SeatNames) {
  return { user: user === null ? null : userOf(user), seat, name: seat === null ? null : (names.get(seat) ?? null) }
}
