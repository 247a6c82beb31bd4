import type { SignedIn } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import { conflict, Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { loadState, readPlanned } from '../../flowSessions/queries.ts'
import { findCurrentOfMatch } from '../../flowSessions/store/sessions.ts'

export interface Beginner {
  readonly actor: SignedIn
  readonly publicUrl: string
  readonly now: Date
}

/** Refusals are not cached, so their dependencies are dropped. */
const nothing: Depends = Object.assign(() => {}, { until: () => {} })

/**
 * Adds the state to a conflict when a match cannot begin: the state of its session, or the planned flow and pool.
 * (match-flows: Operations)
 */
export async function withStateOfMatch<T>(
  tx: Tx,
  tournament: Tournament,
  match: MatchRecord,
  beginner: Beginner,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error
    const { actor, now } = beginner
    const current = await findCurrentOfMatch(tx, match.guid)
    const state =
      current === undefined
        ? await readPlanned(tx, tournament, match, beginner, nothing)
        : await loadState(tx, current, actor, now, nothing)
    throw conflict(error.code, error.message, { ...error.data, state })
  }
}
