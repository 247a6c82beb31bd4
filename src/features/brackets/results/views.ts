import { type Static, Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../core/schema.ts'
import { effects } from '../../../engine/corrections.ts'
import { type Match, matchStatuses, outcomes, sideResults } from '../../../engine/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { TeamRef } from '../../teams/teams/views/teams.ts'
import type { Consequences } from './commands/corrections.ts'

const StateView = Type.Object({
  status: oneOf(matchStatuses),
  outcome: nullable(oneOf(outcomes)),
  sides: Type.Array(
    Type.Object({
      team: nullable(TeamRef),
      score: nullable(Type.Integer()),
      result: nullable(oneOf(sideResults)),
    }),
    { minItems: 2, maxItems: 2 },
  ),
})

/** (additions: Details of divisions, brackets, matches) */
export const CorrectionView = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Nothing was written: this is what would happen.' }),
    revision: Type.Integer({
      description: 'Of the bracket. Give the one of the preview to apply exactly that.',
      examples: [17],
    }),
    correctionGuid: nullable(Guid, 'To undo it; null where nothing was written.'),
    affected: Type.Array(
      Type.Object({
        matchGuid: Guid,
        number: Type.Integer({ examples: [12] }),
        change: oneOf(effects),
        before: StateView,
        after: StateView,
      }),
      { description: 'Matches that lose or regain something by it, in the order of their numbers.' },
    ),
  },
  { title: 'Correction' },
)
export type CorrectionView = Static<typeof CorrectionView>

export async function readCorrectionView(db: Db, consequences: Consequences): Promise<CorrectionView> {
  const { dryRun, revision, correctionGuid, affected } = consequences
  const states = affected.flatMap(({ before, after }) => [before, after])
  const teams = await listTeamSummaries(
    db,
    states.flatMap(({ sides }) => sides.map(({ team }) => team)),
  )
  return {
    ...{ dryRun, revision, correctionGuid },
    affected: affected.map(({ matchGuid, number, change, before, after }) => ({
      ...{ matchGuid, number, change },
      before: stateView(before, teams),
      after: stateView(after, teams),
    })),
  }
}

function stateView({ status, outcome, sides }: Match, teams: ReadonlyMap<string, TeamRef>) {
  return {
    ...{ status, outcome },
    sides: sides.map(({ team, score, result }) => ({
      team: team === null ? null : (teams.get(team) ?? null),
      ...{ score, result },
    })),
  }
}
