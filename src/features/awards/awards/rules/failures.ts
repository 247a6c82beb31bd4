import { Problem } from '../../../../core/problem.ts'
import type { EditionRules, Failure } from '../types.ts'

/** A failed check with its code and message. */
export interface DescribedFailure {
  readonly code: Failure
  readonly message: string
}

const platforms = {
  'ranking-a': 'ranking platform A',
  'ranking-b': 'ranking platform B',
  either: 'a ranking platform',
  none: 'a ranking platform',
} as const

const sentences: Readonly<Record<Failure, (rules: EditionRules) => string>> = {
  banned: () => 'Your account is banned.',
  bot: () => 'Bots take no part in awards.',
  account_too_new: ({ accountBefore }) => `Your account was not created before ${accountBefore}.`,
  link_missing: ({ link }) => `No account on ${platforms[link]} is linked to yours and verified; link one.`,
  link_too_new: ({ link, linkBefore, accountBefore }) =>
    `Your link to ${platforms[link]} was not verified before ${linkBefore ?? accountBefore}.`,
  too_few_tournaments: ({ minTournamentsPlayed }) =>
    `You have not played in ${minTournamentsPlayed} ${minTournamentsPlayed === 1 ? 'tournament' : 'tournaments'} yet.`,
}

export function describeFailures(failures: readonly Failure[], rules: EditionRules): DescribedFailure[] {
  return failures.map((code) => ({ code, message: sentences[code](rules) }))
}

/**
 * Refuses a user who may not vote, with all failed checks. (A2)
 * @throws Problem `award.not_eligible`
 */
export function checkEligible(failures: readonly Failure[], rules: EditionRules): void {
  if (failures.length === 0) return
  throw new Problem('forbidden', 'award.not_eligible', 'You may not vote in these awards; `failures` tells why.', {
    data: { failures: describeFailures(failures, rules) },
  })
}
