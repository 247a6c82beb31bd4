import { conflict, Problem, type ProblemKind } from '../../core/problem.ts'
import { inSavepoint, type Tx } from '../db/database.ts'
import { claim, findKept, keep } from './store.ts'
import type { Kept, KeptProblem, KeptResult, Sending } from './types.ts'

/**
 * Makes commands safe to repeat when a client does not know whether its request arrived. A command with a key runs
 * once; each repetition gets the first result. The result is saved in the transaction of the command, so that there is
 * no effect without its result. (RT25)
 */

/** Refusals that another attempt may not meet. */
const passing: ReadonlySet<ProblemKind> = new Set(['limited', 'timeout', 'unavailable'])

/** Whether another attempt may not meet the refusal; such a refusal is not kept. (RT25) */
export function isPassing({ kind }: Problem): boolean {
  return passing.has(kind)
}

/** The header of a repeated response. */
const replayed = { 'idempotent-replayed': 'true' }

/** A refusal after which the transaction is still committed. */
export interface Refused {
  readonly refused: Problem
}

/** The outcome of the transaction. */
export type Outcome = KeptResult | Refused

/**
 * Runs `work`, or returns the outcome of its first run.
 * @param asProblem converts an error of `work` into the error for the caller
 * @param returnsSecret whether the result must not be saved; then only the fact that the command ran is saved
 * @throws Problem `command.key_reused`
 */
export async function once(
  tx: Tx,
  sending: Sending,
  work: (tx: Tx) => Promise<Outcome>,
  asProblem: (error: unknown) => unknown,
  returnsSecret = false,
): Promise<Outcome> {
  if (!(await claim(tx, sending))) return replay(tx, sending)
  try {
    const result = await inSavepoint(tx, work)
    await keep(tx, sending, keptOf(result, returnsSecret))
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

function keptOf(result: Outcome, returnsSecret: boolean): Kept {
  if ('refused' in result) return { problem: told(result.refused) }
  return returnsSecret ? { problem: told(toldOnce()) } : result
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
