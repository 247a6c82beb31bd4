import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { completions } from '../../../../engine/flows/flow.ts'
import type { Score } from '../../../../engine/flows/map-winner.ts'
import { scoreSources } from '../../../../engine/flows/rows.ts'
import { type GameState, gamePhases } from '../../../../engine/flows/state-types.ts'
import { playerMembers, playerView, type SeatNames } from './players.ts'

export const Seat = Type.Integer({ minimum: 1, examples: [1] })
export const OptionalSeat = nullable(Seat)
const Count = nullable(Type.Integer())
const Total = nullable(Type.Number(), 'null where it is not known.')

const ScoreView = Type.Object(
  {
    guid: Guid,
    ...playerMembers,
    seat: Seat,
    map: nullable(Guid, 'In the pool of the session; null for a map that is not in it.'),
    chain: Type.Integer({ examples: [1] }),
    run: Type.Integer({ examples: [1] }),
    score: Type.Integer({ examples: [812_340] }),
    accuracy: nullable(Type.Number({ minimum: 0, maximum: 2, examples: [0.9734] }), 'Above 1 by modifiers.'),
    misses: Count,
    badCuts: Count,
    maxCombo: Count,
    completion: oneOf(completions),
    pausedSeconds: nullable(Type.Number()),
    mods: Type.Array(Type.String({ examples: ['GhostNotes'] })),
    source: oneOf(scoreSources),
    externalId: nullable(Type.String()),
    playedAt: nullable(Instant),
    evidenceUrl: nullable(Type.String()),
    counts: Type.Boolean({ description: 'Whether it is the player’s score of the run.' }),
    why: nullable(oneOf(['second_report', 'not_in_lineup', 'wrong_map', 'technical']), 'Why it does not count.'),
  },
  { title: 'FlowScore' },
)

const RunView = Type.Object({
  run: Type.Integer({ examples: [1] }),
  totals: Type.Array(Total, { description: 'By seat.' }),
  scores: Type.Array(ScoreView),
})

/** The schema of a game: a map of the match with its runs, scores and result. (match-flows: Log and state, rule 2) */
export const GameView = Type.Object(
  {
    game: Type.Integer({ examples: [1] }),
    map: nullable(Guid, 'In the pool of the session.'),
    pickedBy: OptionalSeat,
    phase: oneOf(gamePhases),
    chain: Type.Integer({ description: 'The last one: a level map begins a new one.', examples: [1] }),
    chains: Type.Array(Type.Array(RunView), { description: 'A run, and the replays that were claimed of it.' }),
    totals: Type.Array(Total, { description: 'What counts by now, by seat.' }),
    counted: Type.Array(nullable(Type.Integer()), { description: 'Runs that count, by seat.' }),
    sides: Type.Array(Type.Object({ score: Total, accuracy: Total }), {
      description:
        'By seat, as the match tells it: the score, whatever the map is won by, and the mean accuracy of what counts.',
    }),
    scoreToBeat: nullable(Type.Number()),
    provisional: nullable(Seat, 'Seat that holds the map while it is not final.'),
    winner: OptionalSeat,
    because: nullable(Type.String({ examples: ['score'] })),
  },
  { title: 'FlowGame' },
)

export function gameView(game: GameState, names: SeatNames): Static<typeof GameView> {
  return {
    ...game,
    chains: game.chains.map((chain) =>
      chain.map(({ run, totals, scores }) => ({
        run,
        totals: [...totals],
        scores: scores.map((score) => scoreView(score, names)),
      })),
    ),
    totals: [...game.totals],
    counted: [...game.counted],
    sides: game.sides.map((side) => ({ ...side })),
  }
}

function scoreView(score: Score, names: SeatNames): Static<typeof ScoreView> {
  const { seat } = score
  return { ...score, ...playerView(score, names), seat, mods: [...score.mods] }
}
