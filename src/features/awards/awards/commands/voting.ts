import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { failuresOfVoter } from '../rules/eligibility.ts'
import { checkEligible } from '../rules/failures.ts'
import { checkCanBeChosen, checkIsOpen, roundOf } from '../rules/voting.ts'
import { findCategory, lockVotingForShare } from '../store/editions.ts'
import { findNominee } from '../store/nominees.ts'
import { listPeople } from '../store/people.ts'
import { deleteVote, putVote, putVoter } from '../store/votes.ts'
import type { Category, Edition } from '../types.ts'

/**
 * Casts or changes a vote. The edition is locked in share mode until the commit: a vote is either counted or refused.
 * The first vote of a user in an edition emits one event, which does not contain the choice or the category. (A1, A2,
 * A5)
 * @throws Problem `award.voting_closed`, `award.nominee_unknown`, `award.nominee_declined`, `award.not_eligible`
 */
export async function castVote(
  tx: Tx,
  actor: SignedIn,
  { guid: editionGuid }: Pick<Edition, 'guid'>,
  { guid: categoryGuid }: Pick<Category, 'guid'>,
  nomineeGuid: string,
  now: Date,
): Promise<void> {
  const edition = await lockOpenEditionForShare(tx, editionGuid, categoryGuid)
  const [category, nominee, people] = await Promise.all([
    findCategory(tx, categoryGuid),
    findNominee(tx, nomineeGuid),
    listPeople(tx, [actor.guid]),
  ])
  if (category === undefined) throw new Error('a category is there while its edition is voted in')
  const round = roundOf(edition)
  checkCanBeChosen(nominee, category, round)
  const person = people.get(actor.guid)
  if (person === undefined) throw new Error('whoever votes has an account')
  checkEligible(failuresOfVoter(person, edition.rules), edition.rules)
  await putVote(tx, { categoryGuid, round, userGuid: actor.guid, nomineeGuid }, now)
  if (!(await putVoter(tx, editionGuid, actor.guid))) return
  emit(tx, { type: 'award.voted', subject: null, actor: actor.guid, after: { edition: editionGuid } })
}

/**
 * Takes a vote back. Without a vote nothing happens. (A1; awards: Details, 4)
 * @throws Problem `award.voting_closed`
 */
export async function takeVoteBack(
  tx: Tx,
  actor: SignedIn,
  { guid: editionGuid }: Pick<Edition, 'guid'>,
  { guid: categoryGuid }: Pick<Category, 'guid'>,
): Promise<void> {
  const edition = await lockOpenEditionForShare(tx, editionGuid, categoryGuid)
  await deleteVote(tx, { categoryGuid, round: roundOf(edition), userGuid: actor.guid })
}

async function lockOpenEditionForShare(tx: Tx, editionGuid: string, categoryGuid: string): Promise<Edition> {
  const edition = await lockVotingForShare(tx, editionGuid)
  if (edition === undefined) throw new Error('an edition that is voted in is not deleted')
  checkIsOpen(edition, categoryGuid)
  return edition
}
