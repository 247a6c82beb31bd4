import { hash } from 'node:crypto'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import type { Notice } from '../../../people/notifications/types.ts'
import type { Category, Edition, EditionStatus, NomineeType } from '../types.ts'
import { isRecordType } from './nominating.ts'

/** Categories and nominees. (awards: Records) */

/**
 * The phases in which managers merge nominations into nominees. From `voting` on, nominees are fixed. (awards: States
 * of an edition)
 */
export const mergingPhases: readonly EditionStatus[] = ['nominating', 'shortlisting']

/** The phases in which a nominee may decline. */
export const decliningPhases: readonly EditionStatus[] = ['nominating', 'shortlisting', 'voting', 'counting']

export const maxCategories = 60
export const maxCategoryNameCharacters = 80
export const maxCategoryDescriptionCharacters = 2_000
export const maxNomineeDescriptionCharacters = 500

/** The maximum number of nominees of a category; more than any shortlist has, because some decline or are deleted. */
export const maxNominees = 100

/** @throws Problem `award.categories_limit` */
export function checkRoomForCategory(held: number): void {
  if (held < maxCategories) return
  throw conflict('award.categories_limit', `An edition has ${maxCategories} categories at most.`)
}

/** @throws Problem `award.nominees_limit` */
export function checkRoomForNominee(held: number): void {
  if (held < maxNominees) return
  throw conflict('award.nominees_limit', `A category has ${maxNominees} nominees at most; delete some first.`)
}

/** @throws Problem `award.order_invalid` unless the list names each category once */
export function checkOrder(categories: readonly Pick<Category, 'guid'>[], guids: readonly string[]): void {
  const wanted = new Set(guids)
  const isWhole = wanted.size === guids.length && categories.length === guids.length
  if (isWhole && categories.every(({ guid }) => wanted.has(guid))) return
  throw invalid('award.order_invalid', 'Give the GUID of every category of the edition once.')
}

/** The phases in which the texts of a category may change. */
export const rewordingPhases: readonly EditionStatus[] = ['draft', 'nominating', 'shortlisting']

/**
 * A category is not renamed once users can vote in it. Only its badge may still be changed. (awards: States of an
 * edition)
 */
export function checkCategoryChange(
  { status }: Pick<Edition, 'status'>,
  changes: { readonly isTypeChanged: boolean; readonly isMoreThanBadge: boolean },
): void {
  if (changes.isTypeChanged && status !== 'draft') {
    throw conflict('award.categories_fixed', 'The type of a category is fixed once nominations have opened.')
  }
  if (status === 'published' || status === 'cancelled') {
    throw conflict('award.categories_fixed', `The edition is ${status}: its categories stay as they are.`)
  }
  if (changes.isMoreThanBadge && (status === 'voting' || status === 'counting')) {
    throw conflict('award.categories_fixed', 'Voting has opened: nothing of a category but its badge can change.')
  }
}

/** Refuses a record as target in a category whose nominees are given in words. (awards: Records) */
export function checkTakesTarget(type: NomineeType): void {
  if (isRecordType(type)) return
  throw invalid('award.target_invalid', `Nominees of a category of type ${type} have no "target"; give "link".`)
}

export function nomineeTwice(): Problem {
  return conflict('award.nominee_exists', 'This is a nominee of the category already; merge the nominations there.')
}

export function unknownNominee(): Problem {
  return missing('award.nominee_unknown', 'There is no such nominee.')
}

export function unknownNomination(): Problem {
  return missing('award.nomination_unknown', 'There is no such nomination in this category.')
}

/**
 * Shuffles nominees by reader. The order stays the same for a reader and differs between readers, so that no nominee is
 * first for all. (awards: Records)
 */
export function shuffledFor<T extends { readonly guid: string }>(reader: string | null, nominees: readonly T[]): T[] {
  return nominees
    .map((nominee) => [hash('sha256', `${reader ?? 'anyone'} ${nominee.guid}`), nominee] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, nominee]) => nominee)
}

type Named = Pick<Edition, 'guid' | 'title'>

/** Notifies a nominated user, who may decline. (awards: States of an edition) */
export function nominatedNotice(
  edition: Named,
  category: Pick<Category, 'guid' | 'name'>,
  nominee: { readonly guid: string; readonly label: string },
): Notice {
  return {
    type: 'award.nominated',
    title: `${nominee.label} is nominated for ${edition.title}`,
    body: `In the category “${category.name}”. If you would rather not stand, decline before the results are published.`,
    data: { editionGuid: edition.guid, categoryGuid: category.guid, nomineeGuid: nominee.guid },
  }
}

/**
 * Notifies all who voted in the category, whatever they chose. A notification only for users whose vote is void would
 * reveal their choice wherever it is stored. It names neither nominee nor category. (A5, A13)
 */
export function declinedNotice(edition: Named): Notice {
  return {
    type: 'award.nominee_declined',
    title: `A nominee for ${edition.title} has declined`,
    body: 'If you voted for them, that vote is void: look at your votes, and choose something else there while voting is open.',
    data: { editionGuid: edition.guid },
  }
}

/** Notifies managers once that voting waits for shortlists. (awards: States of an edition) */
export function waitingNotice(edition: Named, categories: readonly { readonly name: string }[]): Notice {
  const names = categories.map(({ name }) => `“${name}”`).join(', ')
  return {
    type: 'award.voting_waits',
    title: `Voting for ${edition.title} cannot open`,
    body: `These categories need 2 nominees or more that have not declined, and no more than their shortlists: ${names}. Voting opens by itself then.`,
    data: { editionGuid: edition.guid },
  }
}
