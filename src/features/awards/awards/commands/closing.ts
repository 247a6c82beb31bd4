import type { Tx } from '../../../../infra/db/database.ts'
import { lockUsersForKeyShare } from '../../../people/users/store/users.ts'
import { failuresOfVoter } from '../rules/eligibility.ts'
import { roundOf } from '../rules/voting.ts'
import { deleteBallots, remakeBallots, writeRoll } from '../store/ballots.ts'
import { listCategories } from '../store/editions.ts'
import { listPeople } from '../store/people.ts'
import { writeRunoff, writeTurnout } from '../store/results.ts'
import { countVoters, deleteVotes, listVoters, writeFailures } from '../store/votes.ts'
import type { Edition } from '../types.ts'

const judgedAtOnce = 1_000

/**
 * Ends a round of voting. All voters are checked again, the valid votes become ballots, and the voters are added to the
 * roll. After a runoff, all ballots are made again. The caller must hold the edition's lock and change the status
 * afterwards. (A2, A6, A9)
 */
export async function closeVoting(tx: Tx, edition: Edition, now: Date): Promise<void> {
  const all = (await listCategories(tx, edition.guid)).map(({ guid }) => guid)
  const categories = edition.runoffCategories ?? all
  const round = roundOf(edition)
  for (let after: string | null = null, more = true; more; ) {
    const voters: string[] = await listVoters(tx, edition.guid, after, judgedAtOnce)
    // An account that is deleted after this leaves its votes, which are counted.
    const kept = await lockUsersForKeyShare(tx, voters)
    const people = await listPeople(tx, [...kept])
    const judged = Array.from(people, ([userGuid, person]) => {
      return { userGuid, failures: failuresOfVoter(person, edition.rules) }
    })
    await writeFailures(tx, { categories, round }, judged)
    after = voters.at(-1) ?? null
    more = voters.length === judgedAtOnce
  }
  await remakeBallots(tx, edition.guid)
  await writeRoll(tx, categories)
  await writeTurnout(tx, edition.guid, await countVoters(tx, edition.guid), now)
  if (edition.runoffCategories !== null) await writeRunoff(tx, edition.guid, null)
}

/**
 * Deletes the votes of an edition that is cancelled; they are never counted. The caller must hold the edition's lock.
 */
export async function discardVotes(tx: Tx, { guid }: Pick<Edition, 'guid'>): Promise<void> {
  await deleteVotes(tx, guid)
  await deleteBallots(tx, guid)
}
