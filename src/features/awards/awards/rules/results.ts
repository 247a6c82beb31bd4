import { conflict, type Problem } from '../../../../core/problem.ts'
import type { Outcome } from '../../../../engine/awards/outcomes.ts'
import type { Edition } from '../types.ts'

/** What follows from the places that the ballots give. */

/** The categories that need a runoff: those with a tie that have had none, if the rules ask for runoffs. (A9) */
export function runoffsDue({ rules }: Pick<Edition, 'rules'>, outcomes: readonly Outcome[]): readonly Outcome[] {
  return rules.tie === 'runoff' ? outcomes.filter(({ undecided }) => undecided.length > 1) : []
}

/**
 * Results are published only after all due runoffs. (A9)
 * @throws Problem `award.runoff_due`
 */
export function checkIsDecided(edition: Pick<Edition, 'rules'>, outcomes: readonly Outcome[]): void {
  if (runoffsDue(edition, outcomes).length === 0) return
  throw conflict('award.runoff_due', 'First places are tied; have a runoff by setting the status to `voting` again.')
}

/**
 * Whether a refusal depends on the counts, and not only on the phase or the rules. If exclusions could be changed
 * between these answers, a manager could find out for which nominee a user voted and leave no trace. The first of these
 * answers therefore fixes the exclusions. (A4, A5, A7)
 */
export function isAnswerOfCounts({ code }: Pick<Problem, 'code'>, { tie }: Pick<Edition['rules'], 'tie'>): boolean {
  return tie === 'runoff' && (code === 'award.runoff_due' || code === 'award.no_ties')
}

/** @throws Problem `award.exclusions_fixed` for votes of a round about which managers were answered */
export function checkMayExclude({ exclusionsFixedAt }: Pick<Edition, 'exclusionsFixedAt'>, isAnswered: boolean): void {
  if (exclusionsFixedAt === null || !isAnswered) return
  throw conflict(
    'award.exclusions_fixed',
    'Whether first places are tied has been told since: whose votes of the first round are left out stays as it is.',
  )
}
