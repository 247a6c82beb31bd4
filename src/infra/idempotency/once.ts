import { conflict, Problem, type ProblemKind } from '../../core/problem.ts'
import { type Tx, undoable } from '../db/database.ts'
import { claim, findKept, keep } from './store.ts'
import type { Kept, KeptProblem, KeptResult, Sending } from './types.ts'

/**
 * Commands that may be sent again, because nobody knows whether they arrived: whoever sends one with a key gets the first
 * result for it, and the command is carried out once. What it came to is kept in its own transaction, so that there is no
 * effect without its result. (RT25)
 */

/** Refusals that another try may not meet. */
const passing: ReadonlySet<ProblemKind> = new Set(['limited', 'timeout', 'unavailable'])

/** Whether another try may not meet the refusal, which is not kept for that. (RT25) */
export function isPassing({ kind }: Problem): boolean {
  return passing.has(kind)
}

/** The header of an answer that was kept. */
const replayed = { 'idempotent-replayed': 'true' }

/** A refusal that is to be committed before it is told. */
export interface Refused {
  readonly refused: Problem
}

/** What the transaction comes to. */
export type Outcome = KeptResult | Refused

/**
 * Carries out `work`, or answers what it came to the first time.
 * @param asProblem what an error of `work` means to the caller
 * @param tellsSecret whether its result must not be kept: that it was carried out is
 * @throws Problem `command.key_reused`
 */
export async function once(
  tx: Tx,
  sending: Sending,
  work: (tx: Tx) => Promise<Outcome>,
  asProblem: (error: unknown) => unknown,
  tellsSecret = false,
): Promise<Outcome> {
  if (!(await claim(tx, sending))) return replay(tx, sending)
  try {
    const result = await undoable(tx, work)
    await keep(tx, sending, keptOf(result, tellsSecret))
    return result
  } catch (error) {
    const problem = asProblem(error)
    if (!(problem instanceof Problem) || isPassing(problem)) throw error
    await keep(tx, sending, { problem: told(problem) })
    return { refused: problem }
  }
}

async function replay(tx: Tx, sending: Sending): Promise<Outcome> {
  const kept = await findKept(tx, sending)
  if (kept === undefined) {
    throw conflict('command.key_reused', 'This key was used for another command; choose a new one for each.')
  }
  if (!('problem' in kept)) return { ...kept, headers: { ...kept.headers, ...replayed } }
  const { kind, code, message, data, headers } = kept.problem
  return {
    refused: new Problem(kind, code, message, {
      ...(data === undefined ? {} : { data }),
      headers: { ...headers, ...replayed },
    }),
  }
}

function keptOf(result: Outcome, tellsSecret: boolean): Kept {
  if ('refused' in result) return { problem: told(result.refused) }
  return tellsSecret ? { problem: told(toldOnce()) } : result
}

function toldOnce(): Problem {
  return conflict(
    'command.told_once',
    'This was carried out, and its answer had a secret, which is told once. Whoever has not got it makes a new one.',
  )
}

function told({ kind, code, message, data, headers }: Problem): KeptProblem {
  return { kind, code, message, ...(data === undefined ? {} : { data }), headers }
}
