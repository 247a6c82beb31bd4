import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { awardCategories, awardExclusions, awardNominations, awardRoll, awardVoters, awardVotes } from '../tables.ts'

/** A user's nominations, votes that are still stored, and votes that were not counted, with the reason. (A5, A6, A7) */
export const awardsPersonalData = declarePersonalData({
  sections: {
    awardNominations: rowsOf(awardNominations, 'userGuid', {
      shows: ['guid', 'categoryGuid', 'targetGuid', 'label', 'link', 'reason', 'createdAt', 'withdrawnAt'],
    }),
    awardVotes: rowsOf(awardVotes, 'userGuid', {
      shows: ['categoryGuid', 'round', 'nomineeGuid', 'castAt', 'changes'],
      order: ['castAt', asc(awardVotes.guid)],
    }),
    awardRoll: rowsOf(awardRoll, 'userGuid', { shows: ['categoryGuid'], order: [asc(awardRoll.categoryGuid)] }),
    awardExclusions: rowsOf(awardExclusions, 'userGuid', {
      shows: ['editionGuid', 'reason', 'answer', 'createdAt'],
      order: ['createdAt', asc(awardExclusions.editionGuid)],
    }),
  },
  forget: [forgetInAwards],
})

/**
 * Deletes the user's nominations; merged nominees keep their labels. Deletes votes that are not counted yet. Counted
 * votes stay without their voter, who is still counted as one voter under a random mark. The roll and the number of
 * ballots stay, but the roll no longer names the account. Closing an edition locks the accounts of its voters first, so
 * that each vote is either deleted or counted by then. (A6, A10, A13)
 */
async function forgetInAwards(tx: Tx, { guid: userGuid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  await orm.delete(awardNominations).where(eq(awardNominations.userGuid, userGuid))
  await orm.delete(awardVotes).where(and(eq(awardVotes.userGuid, userGuid), isNull(awardVotes.failures)))
  await orm.execute(sql`
    with drawn as materialized (
      select edition_guid, gen_random_uuid() as departed from (
        select distinct c.edition_guid from ${awardVotes} v join ${awardCategories} c on c.guid = v.category_guid
        where v.user_guid = ${userGuid}) voted
    )
    update ${awardVotes} v set
      user_guid = null,
      departed = d.departed,
      -- Managers left them out by their account: that must go on without it. (A7)
      failures = v.failures || case when exists (
        select from ${awardExclusions} x where x.edition_guid = d.edition_guid and x.user_guid = v.user_guid)
        then '{manager}'::text[] else '{}' end
    from ${awardCategories} c join drawn d on d.edition_guid = c.edition_guid
    where c.guid = v.category_guid and v.user_guid = ${userGuid} and v.failures is not null`)
  // The exclusion of the user's votes stays, without the user's reply to it.
  await orm.update(awardExclusions).set({ answer: null }).where(eq(awardExclusions.userGuid, userGuid))
  // A user whose votes were all excluded is shown as not having voted.
  await orm
    .delete(awardVoters)
    .where(
      and(
        eq(awardVoters.userGuid, userGuid),
        sql`exists (select from award_editions e where e.guid = ${awardVoters.editionGuid} and e.status = 'voting' and e.runoff_categories is null)`,
      ),
    )
}
