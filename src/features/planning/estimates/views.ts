import { type Static, Type } from 'typebox'
import { oneOf } from '../../../core/schema.ts'
import type { Scenario } from '../../../engine/estimate/types.ts'
import { runs } from './rules/problem.ts'
import { type Basis, durationSources } from './types.ts'

const Percentiles = { p50: Type.Number(), p90: Type.Number() }
const Range = (description: string) => Type.Object(Percentiles, { description })

export const EstimateView = Type.Object(
  {
    runs: Type.Integer({ examples: [500] }),
    seed: Type.String({
      description: 'With the same seed the same question has the same answer.',
      examples: ['evening'],
    }),
    basis: Type.Object(
      {
        durations: oneOf(durationSources),
        matches: Type.Integer({ description: 'The number of past matches.' }),
      },
      {
        description:
          'What the durations of the most frequent best-of come from: past matches of this tournament (`own`), those of the organiser’s tournaments (`past`), or, with fewer than three of these, 10 minutes for each game (`default`).',
      },
    ),
    scenarios: Type.Array(
      Type.Object({
        teams: Type.Integer(),
        noShows: Type.Integer(),
        matches: Range('Matches that are played, without byes and walkovers.'),
        hours: Range(
          'From the start of the first match to the end of the last: in half of the runs, and in nine of ten.',
        ),
        channels: Type.Array(
          Type.Object({
            hours: Range('How long the channel is in use.'),
            matches: Type.Integer({ description: 'The median.' }),
          }),
        ),
        waitMinutes: Type.Object(
          { ...Percentiles, most: Type.Number() },
          { description: 'How long a team waits between two matches that it plays.' },
        ),
        backToBacks: Range('How often a team plays again within five minutes.'),
      }),
      { description: 'In the order of `noShows`.' },
    ),
  },
  { title: 'Estimate' },
)
export type EstimateView = Static<typeof EstimateView>

export function estimateView(seed: string, basis: Basis, scenarios: readonly Scenario[]): EstimateView {
  return {
    runs,
    seed,
    basis: { ...basis },
    scenarios: scenarios.map((scenario) => ({ ...scenario, channels: scenario.channels.map((each) => ({ ...each })) })),
  }
}
