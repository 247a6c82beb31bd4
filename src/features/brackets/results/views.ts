import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { effects } from '../../../engine/corrections.ts'
import { withdrawalEffects } from '../../../engine/returning.ts'
import { matchStatuses, outcomes, sideResults } from '../../../engine/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { teamStatuses } from '../../teams/teams/types.ts'
import { TeamRef } from '../../teams/teams/views/teams.ts'
import type { Consequences } from './commands/corrections.ts'
import type { WithdrawalConsequences } from './commands/withdrawals.ts'
import type { CorrectedMatch } from './store.ts'

const StateView = Type.Object(
  {
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
  },
  { title: 'AffectedMatchState' },
)

/** The schema of the answer to a correction. (additions: Details of divisions, brackets, matches) */
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
    dryRun,
    revision,
    correctionGuid,
    affected: affected.map(({ matchGuid, number, change, before, after }) => ({
      matchGuid,
      number,
      change,
      before: stateView(before, teams),
      after: stateView(after, teams),
    })),
  }
}

const TeamState = Type.Object({
  status: oneOf(teamStatuses),
  seed: nullable(Type.Integer({ examples: [3] })),
})

/** The schema of the answer to a withdrawal's preview, or to taking a withdrawal back. (D60, D85) */
export const WithdrawalView = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Nothing was written: this is what would happen.' }),
    revisions: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Of the brackets concerned, by their GUIDs. Give those of the preview as `revisions` to apply exactly that.',
    }),
    revision: nullable(Type.Integer({ examples: [17] }), 'The same, where one bracket is concerned; null otherwise.'),
    correctionGuid: nullable(Guid, 'To undo that the withdrawal was taken back; null where it was not.'),
    team: Type.Object({ guid: Guid, before: TeamState, after: TeamState }),
    affected: Type.Array(
      Type.Object({
        bracketGuid: Guid,
        matchGuid: Guid,
        number: Type.Integer({ examples: [12] }),
        change: oneOf(withdrawalEffects, {
          description:
            '`walkover`: it ends without being played. `stays`: it keeps the walkover that the withdrawal gave, or was played on the strength of one. `result_voided`, `restored`: also of a result that counts no more, or again. The others are those of corrections.',
        }),
        before: StateView,
        after: StateView,
      }),
      { description: 'Matches for which it means something, bracket by bracket, in the order of their numbers.' },
    ),
  },
  { title: 'WithdrawalCorrection' },
)
export type WithdrawalView = Static<typeof WithdrawalView>

export async function readWithdrawalView(db: Db, consequences: WithdrawalConsequences): Promise<WithdrawalView> {
  const { dryRun, revisions, correctionGuid, team, affected } = consequences
  const states = affected.flatMap(({ before, after }) => [before, after])
  const teams = await listTeamSummaries(
    db,
    states.flatMap(({ sides }) => sides.map((side) => side.team)),
  )
  const [only] = revisions.values()
  return {
    dryRun,
    correctionGuid,
    revisions: Object.fromEntries(revisions),
    revision: revisions.size === 1 ? (only ?? null) : null,
    team: { guid: team.guid, before: { ...team.before }, after: { ...team.after } },
    affected: affected.map(({ bracketGuid, matchGuid, number, change, before, after }) => ({
      bracketGuid,
      matchGuid,
      number,
      change,
      before: stateView(before, teams),
      after: stateView(after, teams),
    })),
  }
}

/** The schema of what a correction made of its match. */
export const MatchCorrectionView = Type.Object(
  {
    guid: Guid,
    before: StateView,
    after: StateView,
    createdAt: Instant,
    undoneAt: nullable(Instant),
  },
  { title: 'MatchCorrection' },
)
export type MatchCorrectionView = Static<typeof MatchCorrectionView>

export async function listMatchCorrectionViews(
  db: Db,
  corrections: readonly CorrectedMatch[],
): Promise<readonly MatchCorrectionView[]> {
  const states = corrections.flatMap(({ before, after }) => [before, after])
  const teams = await listTeamSummaries(
    db,
    states.flatMap(({ sides }) => sides.map(({ team }) => team)),
  )
  return corrections.map(({ guid, before, after, createdAt, undoneAt }) => ({
    guid,
    before: stateView(before, teams),
    after: stateView(after, teams),
    createdAt: formatInstant(createdAt),
    undoneAt: formatInstant(undoneAt),
  }))
}

function stateView({ status, outcome, sides }: CorrectedMatch['before'], teams: ReadonlyMap<string, TeamRef>) {
  return {
    status,
    outcome,
    sides: sides.map(({ team, score, result }) => ({
      team: team === null ? null : (teams.get(team) ?? null),
      score,
      result,
    })),
  }
}
