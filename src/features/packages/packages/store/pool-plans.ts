import { plannedPools, poolPlans } from '../../../maps/plans/tables.ts'
import { wordUpTo } from './bounds.ts'
import { columnsOf, kind, ofTournament, plain, typed } from './kind.ts'

export const poolPlan = kind(
  'poolPlan',
  columnsOf(poolPlans, { tournamentGuid: ofTournament, revision: plain, defaultPoolGuid: plain }),
  { order: ['revision'] },
)

/** A section and its round. */
export const Round = wordUpTo(40)

export const plannedPoolsKind = kind(
  'plannedPools',
  columnsOf(plannedPools, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      matchGuid: plain,
      bracketGuid: plain,
      round: typed(Round),
      poolGuid: plain,
    },
  }),
)
