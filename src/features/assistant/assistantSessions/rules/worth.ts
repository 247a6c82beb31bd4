import { conflict, type Problem } from '../../../../core/problem.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { flowBlocked, warningsHolding } from '../../proposals/rules/holding.ts'

/** Whether what is set, loaded or played could come to a result at all. (D78) */

export type Step = 'setMap' | 'load' | 'play'

const steps: ReadonlySet<string> = new Set<Step>(['setMap', 'load', 'play'])

export function isStep(command: string): command is Step {
  return steps.has(command)
}

/**
 * While blocking warnings hold the flow, the run that it is at is not played again. Once the match is decided, nothing is loaded or
 * played any more, unless an operator says why; its map may still be set. (D78)
 * @throws Problem `flow.blocked`, `match.completed`, `match.cancelled`
 */
export function checkIsWorth(
  step: Step,
  { match, flow }: { readonly match: Pick<MatchRecord, 'status'>; readonly flow: Machine | null },
  force: string | null,
): void {
  const holding = flow === null ? [] : warningsHolding(flow)
  if (holding.length > 0) throw flowBlocked(holding)
  if (step === 'setMap' || force !== null) return
  if (match.status === 'cancelled') throw decided('match.cancelled', 'is cancelled')
  if (match.status === 'completed' || isDecided(flow)) throw decided('match.completed', 'is decided')
}

/** Not by a flow that was ended while the match went on. */
function isDecided(flow: Machine | null): boolean {
  const by = flow?.ending?.by
  return by !== undefined && by !== 'finish' && by !== 'void'
}

function decided(code: string, how: string): Problem {
  return conflict(code, `The match ${how}; a song is loaded or played only with \`force: true\` and a \`reason\`.`)
}
