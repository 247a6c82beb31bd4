import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { roundOf } from '../rules/voting.ts'
import { awardCategories, awardNominees, awardRoll, awardVotes } from '../tables.ts'
import type { Edition } from '../types.ts'

/**
 * The categories that a user has voted in, by GUID: while voting those in which their vote stands in this round, afterwards those of
 * the roll. A vote for a nominee that has declined since does not stand. (A13)
 */
export async function listVotedCategories(
  db: Db,
  edition: Pick<Edition, 'guid' | 'status' | 'runoffCategories'>,
  userGuid: string,
): Promise<string[]> {
  const rows =
    edition.status === 'voting'
      ? await db.session.orm
          .select({ guid: awardCategories.guid })
          .from(awardVotes)
          .innerJoin(awardCategories, eq(awardCategories.guid, awardVotes.categoryGuid))
          .innerJoin(awardNominees, eq(awardNominees.guid, awardVotes.nomineeGuid))
          .where(
            and(
              eq(awardVotes.userGuid, userGuid),
              eq(awardVotes.round, roundOf(edition)),
              eq(awardCategories.editionGuid, edition.guid),
              isNull(awardNominees.declinedAt),
            ),
          )
          .orderBy(awardCategories.order, awardCategories.guid)
      : await db.session.orm
          .select({ guid: awardCategories.guid })
          .from(awardRoll)
          .innerJoin(awardCategories, eq(awardCategories.guid, awardRoll.categoryGuid))
          .where(and(eq(awardRoll.userGuid, userGuid), eq(awardCategories.editionGuid, edition.guid)))
          .orderBy(awardCategories.order, awardCategories.guid)
  return rows.map(({ guid }) => guid)
}
