import { Type } from 'typebox'
import { nullable, oneOf } from '../../../../core/schema.ts'
import { penaltyTypes, replayRules, tieRules } from '../../../../engine/flows/flow.ts'
import { modifierRules } from '../../../../engine/score-limits.ts'

const optional = nullable(Type.Integer())

/** All rules with their defaults. (match-flows: Rules) */
export const RulesView = Type.Object(
  {
    play: Type.Object({ mode: oneOf(['best_of', 'play_all']), maps: Type.Optional(Type.Integer()) }),
    map: Type.Object({
      by: oneOf(['score', 'accuracy', 'misses']),
      team: oneOf(['sum', 'mean', 'top']),
      top: optional,
      players: optional,
    }),
    modifiers: oneOf(modifierRules, {
      description: 'Under `none` a score above the maximum of its map is a warning, under `any` one above twice that.',
    }),
    zero: Type.Array(oneOf(['failed', 'quit'])),
    pauseLimitSeconds: optional,
    tie: Type.Array(oneOf(tieRules)),
    tieReplays: Type.Integer(),
    decide: oneOf(['score_sum', 'wins', 'points']),
    points: Type.Array(Type.Integer()),
    replays: Type.Object({
      rule: oneOf(replayRules),
      perMatch: Type.Integer(),
      perMap: Type.Integer(),
      by: oneOf(['team', 'player']),
      windowSeconds: Type.Integer(),
    }),
    technical: Type.Object({ perMatch: optional, counts: oneOf(['replace', 'better']) }),
    timeouts: Type.Object({ count: Type.Integer(), seconds: Type.Integer() }),
    late: Type.Array(Type.Object({ afterMinutes: Type.Integer(), type: oneOf(penaltyTypes) })),
    lineup: Type.Object({ changes: oneOf(['per_map', 'per_match']) }),
    protects: oneOf(['opponents', 'everybody']),
    speakers: oneOf(['captain', 'members']),
    graceSeconds: Type.Integer(),
    selfUndoSeconds: Type.Integer(),
    viewDelaySeconds: Type.Integer(),
    eliminate: Type.Integer(),
  },
  { title: 'FlowRules' },
)
