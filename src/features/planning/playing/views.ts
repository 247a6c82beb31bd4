import { Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { outcomes } from '../../../engine/types.ts'
import type { RehearsalClock } from '../rehearsals/types.ts'
import { ClockView, clockView } from '../rehearsals/views.ts'
import type { PlayedEvening } from './prepare.ts'

const Score = nullable(Type.Integer({ examples: [2] }))

export const PlayedView = Type.Object(
  {
    played: Type.Array(
      Type.Object({
        division: Type.String({ description: 'Short id.', examples: ['a'] }),
        number: Type.Integer({ examples: [7] }),
        outcome: nullable(oneOf(outcomes)),
        scores: Type.Array(Score, { minItems: 2, maxItems: 2, description: 'Of both sides.' }),
        startedAt: nullable(Instant),
        completedAt: nullable(Instant),
      }),
      { description: 'The matches that ended, in that order.' },
    ),
    clock: ClockView,
    done: Type.Boolean({ description: 'Whether it was played as far as asked for; otherwise the same call goes on.' }),
  },
  { title: 'PlayedRehearsal' },
)

export function playedView({ played, isDone }: PlayedEvening, clock: RehearsalClock) {
  return {
    played: played.map(({ scores, startedAt, completedAt, ...match }) => ({
      ...match,
      scores: [...scores],
      startedAt: formatInstant(startedAt),
      completedAt: formatInstant(completedAt),
    })),
    clock: clockView(clock),
    done: isDone,
  }
}
