import { conflict, type Problem } from '../../../../core/problem.ts'
import { type Machine, openGame } from '../../../../engine/flows/machine.ts'
import { blockingWarnings, type Warning } from '../../../../engine/flows/warnings.ts'
import { warningView } from '../../../flows/flowSessions/views/judging.ts'
import { noSeatNames } from '../../../flows/flowSessions/views/players.ts'
import type { Place } from './places.ts'

/** Blocking warnings hold a run that has its scores. Playing it again would give no result. (D78) */

/** The warnings that hold a flow; empty while the flow continues. */
export function warningsHolding(machine: Machine): readonly Warning[] {
  const game = machine.stuck === 'blocked' ? openGame(machine) : null
  return game === null ? [] : blockingWarnings(machine, game)
}

/** The same, if the flow is held at the place where the song was played; else empty. */
export function warningsHoldingAt(machine: Machine, place: Place | null): readonly Warning[] {
  const game = openGame(machine)
  return place === null || game?.game !== place.game || game.map !== place.map ? [] : warningsHolding(machine)
}

/** The refusal, which says how to free the flow. */
export function flowBlocked(warnings: readonly Warning[]): Problem {
  const [{ game, run } = { game: null, run: null }] = warnings
  const codes = [...new Set(warnings.map(({ code }) => code))].join(', ')
  return conflict(
    'flow.blocked',
    `Run ${run ?? 1} of game ${game ?? 1} has its scores, and a blocking warning holds it: ${codes}. Dismiss each of \`blockedBy\` in the flow of the match, or answer it with a penalty.`,
    { blockedBy: blockedByView(warnings) },
  )
}

/** The warnings as the refusal shows them. */
export function blockedByView(warnings: readonly Warning[]) {
  return warnings.map((warning) => warningView(warning, noSeatNames))
}
