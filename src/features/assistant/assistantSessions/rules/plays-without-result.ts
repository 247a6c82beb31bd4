import { conflict, type Problem } from '../../../../core/problem.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { flowBlocked, warningsHolding } from '../../proposals/rules/holding.ts'

/** Checks whether a song that is set, loaded or played could lead to a result. (D78) */

export type Step = 'setMap' | 'load' | 'play'

const steps: ReadonlySet<string> = new Set<Step>(['setMap', 'load', 'play'])

export function isStep(command: string): command is Step {
  return steps.has(command)
}

/**
 * While blocking warnings hold the flow, its current run is not played again. In a decided match nothing is loaded or
 * played unless an operator gives a reason; the map may still be set. (D78)
 * @returns whether it would be refused without `force`
 * @throws Problem `flow.blocked`, `match.completed`, `match.cancelled`
 */
export function checkIsWorth(
  step: Step,
  { match, flow }: { readonly match: Pick<MatchRecord, 'status'>; readonly flow: Machine | null },
  force: string | null,
): { readonly isForced: boolean } {
  const holding = flow === null ? [] : warningsHolding(flow)
  if (holding.length > 0) throw flowBlocked(holding)
  const refusal = step === 'setMap' ? null : refusalOf(match, flow)
  if (refusal !== null && force === null) throw refusal
  return { isForced: refusal !== null }
}

function refusalOf({ status }: Pick<MatchRecord, 'status'>, flow: Machine | null): Problem | null {
  if (status === 'cancelled') return decided('match.cancelled', 'is cancelled')
  return status === 'completed' || isDecided(flow) ? decided('match.completed', 'is decided') : null
}

/** A flow that an operator ended while the match continued decides nothing. */
function isDecided(flow: Machine | null): boolean {
  const by = flow?.ending?.by
  return by !== undefined && by !== 'finish' && by !== 'void'
}

function decided(code: string, how: string): Problem {
  return conflict(code, `The match ${how}; a song is loaded or played only with \`force: true\` and a \`reason\`.`)
}
