import { conflict, Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { findProposal } from '../store/proposals.ts'
import type { GameProposal } from '../types.ts'
import { readProposalView } from '../views.ts'

/** Refusals of decisions contain the proposal, because the operator reads it next. (AS19) */

/** Runs the work, and adds the present proposal to a refusal. */
export async function withProposal<T>(tx: Tx, guid: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error
    const proposal = await findProposal(tx, guid)
    throw proposal === undefined ? error : await told(tx, error, proposal)
  }
}

export async function told(tx: Tx, { code, message, data }: Problem, proposal: GameProposal): Promise<Problem> {
  return conflict(code, message, { ...data, proposal: await readProposalView(tx, proposal) })
}
