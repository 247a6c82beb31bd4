import { type Static, Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import type { TeamRank } from '../types.ts'
import { TeamRef } from './teams.ts'

export const TeamRankView = Type.Object(
  {
    team: TeamRef,
    rank: nullable(Type.Number({ description: 'To one decimal; 1 is best.', examples: [1204.5] })),
    ranked: Type.Integer({ description: 'Active members with a rank.', examples: [2] }),
    players: Type.Integer({ description: 'Active members.', examples: [3] }),
  },
  { title: 'TeamRank' },
)

export function teamRankView({ rank, ranked, players, ...team }: TeamRank): Static<typeof TeamRankView> {
  return { team, rank, ranked, players }
}
