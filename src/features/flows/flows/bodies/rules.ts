import { Type } from 'typebox'
import { nullable, oneOf } from '../../../../core/schema.ts'
import { completions, penaltyTypes, replayRules, tieRules } from '../../../../engine/flows/flow.ts'
import { modifierRules } from '../../../../engine/score-limits.ts'

const integer = (minimum: number, maximum: number, description?: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, ...(description === undefined ? {} : { description }) }))
const optionalInteger = (minimum: number, maximum: number, description: string) =>
  Type.Optional(nullable(Type.Integer({ minimum, maximum }), description))

const zeroable = completions.filter((each) => each === 'failed' || each === 'quit')

/** The request schema of a flow's rules; rules that are left out have defaults. (match-flows: Rules) */
export const RulesBody = Type.Object(
  {
    play: Type.Optional(
      Type.Object(
        {
          mode: oneOf(['best_of', 'play_all']),
          maps: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Of `play_all`.' })),
        },
        { description: '`best_of` of the match, or all of so many maps.' },
      ),
    ),
    map: Type.Optional(
      Type.Object({
        by: Type.Optional(oneOf(['score', 'accuracy', 'misses'])),
        team: Type.Optional(oneOf(['sum', 'mean', 'top'])),
        top: optionalInteger(1, 50, 'Of `top`: of how many players the scores count.'),
        players: optionalInteger(1, 50, 'Of a line-up; unset, as many as teams play with.'),
      }),
    ),
    modifiers: Type.Optional(
      oneOf(modifierRules, {
        description:
          'Whether positive modifiers may be played with: scores above the maximum of a map are held for a referee under `none`, those above twice the maximum under `any`, which is the default.',
      }),
    ),
    zero: Type.Optional(
      Type.Array(oneOf(zeroable), { maxItems: 2, uniqueItems: true, description: 'Completions that count 0.' }),
    ),
    pauseLimitSeconds: optionalInteger(0, 3_600, 'Longer pauses are for referees to judge.'),
    tie: Type.Optional(
      Type.Array(oneOf(tieRules), {
        maxItems: tieRules.length,
        uniqueItems: true,
        description: 'How a level map is settled, in this order; then a referee decides.',
      }),
    ),
    tieReplays: integer(0, 10, 'At most so many for a level map.'),
    decide: Type.Optional(oneOf(['score_sum', 'wins', 'points'], { description: 'Of `play_all`.' })),
    points: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 1_000 }), { maxItems: 16, description: 'By place.' }),
    ),
    replays: Type.Optional(
      Type.Object({
        rule: Type.Optional(oneOf(replayRules)),
        perMatch: integer(0, 20),
        perMap: integer(0, 20),
        by: Type.Optional(oneOf(['team', 'player'])),
        windowSeconds: integer(5, 3_600, 'In which a replay may be claimed.'),
      }),
    ),
    technical: Type.Optional(
      Type.Object({
        perMatch: optionalInteger(0, 20, 'For each seat; unset, without limit.'),
        counts: Type.Optional(oneOf(['replace', 'better'])),
      }),
    ),
    timeouts: Type.Optional(
      Type.Object({ count: integer(0, 10, 'For each seat and session.'), seconds: integer(5, 3_600) }),
    ),
    late: Type.Optional(
      Type.Array(
        Type.Object({ afterMinutes: Type.Integer({ minimum: 1, maximum: 1_440 }), type: oneOf(penaltyTypes) }),
        { maxItems: 10, description: 'Penalties that are proposed to referees.' },
      ),
    ),
    lineup: Type.Optional(Type.Object({ changes: Type.Optional(oneOf(['per_map', 'per_match'])) })),
    protects: Type.Optional(oneOf(['opponents', 'everybody'])),
    speakers: Type.Optional(oneOf(['captain', 'members'])),
    graceSeconds: integer(0, 10, 'Between the end of a clock and its lapse.'),
    selfUndoSeconds: integer(
      0,
      60,
      'In which speakers may take back their last choice, unless it has shown what others chose or had something drawn.',
    ),
    viewDelaySeconds: integer(0, 900, 'By which outsiders see it later.'),
    eliminate: integer(0, 15, 'Last places that are out, in sessions without a match.'),
  },
  { title: 'FlowRulesInput' },
)
