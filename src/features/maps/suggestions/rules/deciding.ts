import { conflict } from '../../../../core/problem.ts'
import type { Suggestion, SuggestionStatus } from '../types.ts'

/** How many suggestions there may be, and what becomes of them. (pools: Suggestions, votes, comments) */

/** Of somebody who is no pooler. */
export const maxOpenOfOne = 20
/** Of a tournament. */
export const maxOpen = 2_000
/** Of one person in a tournament, whatever became of them: whoever withdraws each could make them without end otherwise. */
export const maxOfOne = { pooler: maxOpen, other: 200 } as const
export const maxNote = 1_000

/**
 * Whoever is no pooler has few that are open, and nobody piles up others: history is kept, and therefore bounded. (pools:
 * Suggestions, votes, comments, rule 1; D8)
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
 * What is open is changed, decided or withdrawn; what was rejected or withdrawn is opened again; what was accepted stays.
 * (pools: Suggestions, votes, comments, rule 3)
 * @throws Problem `suggestion.wrong_status`
 */
export function checkStep({ status }: Pick<Suggestion, 'status'>, step: Step): void {
  if (from[step].includes(status)) return
  throw conflict('suggestion.wrong_status', `A suggestion that is ${status} cannot be ${step}.`)
}
