import { type Static, Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import type { SeatState, State } from '../../../../engine/flows/state-types.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { Seat } from './games.ts'
import { PenaltyView, penaltyView } from './judging.ts'
import { Players, type SeatNames, userOf } from './players.ts'

export const SeatView = Type.Object(
  {
    seat: Seat,
    team: nullable(TeamRef, 'null for a seat that has a name alone.'),
    name: Type.String({ examples: ['The Quavers'] }),
    speakers: Type.Array(UserCard, { description: 'Who may act for it.' }),
    present: Type.Boolean(),
    roll: nullable(Type.Integer({ minimum: 1, maximum: 100 })),
    places: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'By pair.',
      examples: [{ order: 1 }],
    }),
    wins: Type.Integer({ examples: [1] }),
    score: Type.Number(),
    points: Type.Number(),
    replaysLeft: Type.Integer(),
    timeoutsLeft: Type.Integer(),
    penalties: Type.Array(PenaltyView),
    lineup: nullable(Players, 'Of the map that is played, else the last that was named.'),
  },
  { title: 'FlowSeat' },
)

export interface SeatFacts {
  readonly users: ReadonlyMap<string, UserFacts>
  readonly teams: ReadonlyMap<string, TeamRef>
}

export function seatView(
  seat: SeatState,
  { penalties }: Pick<State, 'penalties'>,
  { users, teams }: SeatFacts,
  names: SeatNames,
): Static<typeof SeatView> {
  return {
    ...seat,
    team: teams.get(seat.team ?? '') ?? null,
    speakers: seat.speakers.flatMap((guid) => {
      const user = users.get(guid)
      return user === undefined ? [] : [userCard(user)]
    }),
    places: { ...seat.places },
    penalties: penalties
      .filter((penalty) => penalty.seat === seat.seat)
      .map((each) => penaltyView(each, { users, names })),
    lineup: seat.lineup === null ? null : seat.lineup.map(userOf),
  }
}
