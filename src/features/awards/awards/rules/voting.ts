import { conflict, missing } from '../../../../core/problem.ts'
import type { Category, Edition, Nominee } from '../types.ts'

/** Which categories and nominees can be voted for, and when. */

type Standing = Pick<Edition, 'status' | 'runoffCategories'>

/**
 * The number of the current round. A runoff is a round of its own, because the votes of the first are counted already.
 * (A9)
 */
export function roundOf({ runoffCategories }: Pick<Edition, 'runoffCategories'>): 1 | 2 {
  return runoffCategories === null ? 1 : 2
}

/**
 * Whether a category is open for votes. Only the status decides, not a date. In a runoff, only the tied categories are
 * open. (A9; awards: Details, 4)
 */
export function isOpen({ status, runoffCategories }: Standing, categoryGuid: string): boolean {
  return status === 'voting' && (runoffCategories === null || runoffCategories.includes(categoryGuid))
}

/** @throws Problem `award.voting_closed` */
export function checkIsOpen(edition: Standing, categoryGuid: string): void {
  if (isOpen(edition, categoryGuid)) return
  throw conflict('award.voting_closed', 'There is no voting in this category now; your vote was not taken.')
}

/**
 * Checks that a nominee can be chosen: it is on the category's shortlist, has not declined and, in a runoff, is one of
 * the tied nominees. (A9, A13)
 * @throws Problem `award.nominee_unknown`, `award.nominee_declined`
 */
export function checkCanBeChosen(
  nominee: Pick<Nominee, 'guid' | 'categoryGuid' | 'declinedAt'> | undefined,
  { guid, runoffNominees }: Pick<Category, 'guid' | 'runoffNominees'>,
  round: 1 | 2,
): void {
  const isThere = nominee?.categoryGuid === guid && (round === 1 || runoffNominees?.includes(nominee.guid) === true)
  if (!isThere) {
    throw missing('award.nominee_unknown', 'There is no such nominee to vote for in this category.')
  }
  if (nominee.declinedAt !== null) {
    throw conflict('award.nominee_declined', 'This nominee has declined; choose another one.')
  }
}
