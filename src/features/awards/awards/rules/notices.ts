import type { Notice } from '../../../people/notifications/types.ts'
import type { Category, Edition } from '../types.ts'

/** Notifications about awards. None contains a user's choice. (A5, A7, A11, A12, A13) */

type Named = Pick<Edition, 'guid' | 'id' | 'title'>
type NamedCategory = Pick<Category, 'guid' | 'name'>

const dataOf = ({ guid, id }: Named) => ({ editionGuid: guid, editionId: id })

/** For a winner. (A12) */
export function wonNotice(edition: Named, category: NamedCategory): Notice {
  return {
    type: 'award.won',
    title: `${category.name} of ${edition.title}: you have won`,
    body: '',
    data: { ...dataOf(edition), categoryGuid: category.guid },
  }
}

/** For a user who became a winner, or is no longer one, by a correction. (A11) */
export function correctedNotice(edition: Named, category: NamedCategory, hasWon: boolean, reason: string): Notice {
  const outcome = hasWon ? 'you have won after all' : 'you are no longer the winner'
  return {
    type: 'award.corrected',
    title: `${category.name} of ${edition.title} was corrected: ${outcome}`,
    body: reason,
    data: { ...dataOf(edition), categoryGuid: category.guid },
  }
}

/** For a user whose votes were excluded. (A7) */
export function excludedNotice(edition: Named, reason: string): Notice {
  return {
    type: 'award.user_excluded',
    title: `Your votes in ${edition.title} are not counted`,
    body: `${reason} You may answer this to those who manage the awards.`,
    data: dataOf(edition),
  }
}

/** For a user whose votes are counted again. (A7) */
export function exclusionLiftedNotice(edition: Named): Notice {
  return {
    type: 'award.exclusion_lifted',
    title: `Your votes in ${edition.title} are counted again`,
    body: '',
    data: dataOf(edition),
  }
}

/** For managers: an excluded user has answered. (A7) */
export function answeredNotice(edition: Named, userGuid: string): Notice {
  return {
    type: 'award.exclusion_answered',
    title: `Somebody whose votes in ${edition.title} are not counted has answered`,
    body: '',
    data: { ...dataOf(edition), userGuid },
  }
}
