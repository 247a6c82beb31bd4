import { type Static, Type } from 'typebox'
import { nullable, oneOf } from '../../../../core/schema.ts'
import { type Standing, tieBreakers } from '../../../../engine/types.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'

/** The schema of a row in a bracket's table. (G6) */
export const StandingView = Type.Object(
  {
    rank: Type.Integer({ description: 'Shared by equal teams: 1, 2, 2, 4.', examples: [1] }),
    team: TeamRef,
    seed: nullable(Type.Integer({ examples: [1] })),
    groupIndex: nullable(Type.Integer(), 'Group of a round robin, from 0; each has a table of its own.'),
    played: Type.Integer(),
    won: Type.Integer(),
    drawn: Type.Integer(),
    lost: Type.Integer(),
    gamesWon: Type.Integer(),
    gamesLost: Type.Integer(),
    points: Type.Number(),
    tieBreaks: Type.Array(Type.Object({ name: oneOf(tieBreakers), value: Type.Number() }), {
      description: 'In the order in which they are asked.',
    }),
    decidedBy: nullable(
      oneOf(tieBreakers),
      'What set the team apart from the one above it; null where nothing had to, or nothing could.',
    ),
    tied: Type.Boolean({
      description: 'No tie-breaker parts the team from another one, so that somebody has to decide.',
    }),
  },
  { title: 'Standing' },
)
export type StandingView = Static<typeof StandingView>

export function standingView(row: Standing, teams: ReadonlyMap<string, TeamRef>): StandingView {
  const { rank, seed, played, won, drawn, lost, gamesWon, gamesLost, points, tieBreaks, decidedBy, tied } = row
  const team = teams.get(row.team)
  if (team === undefined) throw new Error('a team that stands in a table is not known')
  return {
    rank,
    team,
    seed,
    played,
    won,
    drawn,
    lost,
    gamesWon,
    gamesLost,
    points,
    decidedBy,
    tied,
    groupIndex: row.group,
    tieBreaks: [...tieBreaks],
  }
}
