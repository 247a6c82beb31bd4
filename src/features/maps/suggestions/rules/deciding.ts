import { conflict } from '../../../../core/problem.ts'
import type { Suggestion, SuggestionStatus } from '../types.ts'

/** Limits on the number of suggestions, and the rules for their status. (pools: Suggestions, votes, comments) */

/** Maximum number of open suggestions of a user who is no pooler. */
export const maxOpenOfOne = 20
/** Maximum number of open suggestions of a tournament. */
export const maxOpen = 2_000
/**
 * Maximum number of suggestions of one user in a tournament, of any status. Without it, a user who withdraws each
 * suggestion could make them without end.
 */
export const maxOfOne = { pooler: maxOpen, other: 200 } as const
export const maxNote = 1_000

/**
 * Checks the limits of one user. A user who is no pooler may have only a few open suggestions. Closed ones are kept, so
 * their number is limited, too. (pools: Suggestions, votes, comments, rule 1; D8)
 * @throws Problem `suggestion.too_many`, `suggestion.limit_reached`
 */
export function checkOwn({ all, open }: { readonly all: number; readonly open: number }, isPooler: boolean): void {
  if (!isPooler && open >= maxOpenOfOne) {
    throw conflict(
      'suggestion.too_many',
      `You have ${maxOpenOfOne} suggestions that are open; withdraw one, or wait until one is decided.`,
    )
  }
  const most = maxOfOne[isPooler ? 'pooler' : 'other']
  if (all < most) return
  throw conflict(
    'suggestion.limit_reached',
    `You have made ${most} suggestions in this tournament, as many as one may; change one that is open instead.`,
  )
}

/** @throws Problem `suggestion.limit_reached` */
export function checkAllOpen(count: number): void {
  if (count < maxOpen) return
  throw conflict('suggestion.limit_reached', `At most ${maxOpen} suggestions of a tournament can be open.`)
}

/** @param guid of an open suggestion of the same map */
export function suggestionExists(guid: string) {
  return conflict('suggestion.exists', 'The map is suggested already.', { suggestionGuid: guid })
}

type Step = 'changed' | 'accepted' | 'rejected' | 'withdrawn' | 'reopened'

const from: Readonly<Record<Step, readonly SuggestionStatus[]>> = {
  changed: ['open'],
  accepted: ['open'],
  rejected: ['open'],
  withdrawn: ['open'],
  reopened: ['rejected', 'withdrawn'],
}

/**
 * An open suggestion may be edited, decided or withdrawn. A rejected or withdrawn one may be reopened. An accepted one
 * is final. (pools: Suggestions, votes, comments, rule 3)
 * @throws Problem `suggestion.wrong_status`
 */
export function checkStep({ status }: Pick<Suggestion, 'status'>, step: Step): void {
  if (from[step].includes(status)) return
  throw conflict('suggestion.wrong_status', `A suggestion that is ${status} cannot be ${step}.`)
}
