import { ballotsDigest } from '../../../../engine/awards/digest.ts'
import { type BallotCount, ballotsOf, outcomesOf } from '../../../../engine/awards/outcomes.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyEach } from '../../../people/notifications/commands.ts'
import { wonNotice } from '../rules/notices.ts'
import { checkIsDecided } from '../rules/results.ts'
import { type Winner, winnersOf } from '../rules/winners.ts'
import { countBallots, countCounted, countExcluded } from '../store/ballots.ts'
import { listCategories } from '../store/editions.ts'
import { listNominees } from '../store/nominees.ts'
import { writeNomineeResults, writeResults } from '../store/results.ts'
import { listOrganisers } from '../store/targets.ts'
import type { Edition } from '../types.ts'
import { awardBadges } from './awarding.ts'

/**
 * Counts the ballots, saves the results, and grants and notifies the winners. The caller must hold the lock of the
 * edition, which is `counting`, and change the status afterwards. (A8, A10, A12)
 * @throws Problem `award.runoff_due`
 */
export async function publishResults(tx: Tx, edition: Edition, by: string | null, now: Date): Promise<void> {
  const { guid } = edition
  const categories = await listCategories(tx, guid)
  const nominees = await listNominees(tx, guid)
  const counts = await countBallots(tx, guid)
  const outcomes = outcomesOf(categories, nominees, counts)
  checkIsDecided(edition, outcomes)
  const results = new Map(outcomes.flatMap((outcome) => [...outcome.results]))
  await writeNomineeResults(tx, guid, results)
  const byReason = await countExcluded(tx, guid)
  const votes = Object.values(byReason).reduce((sum, count) => sum + count, 0)
  await writeResults(tx, guid, {
    results: { voters: await countCounted(tx, guid), excluded: { votes, byReason }, ...digestsOf(counts) },
    publishedAt: now,
    updatedAt: now,
  })
  const winners = winnersOf(categories, nominees, await listOrganisers(tx, guid), (nominee) => results.get(nominee))
  await awardBadges(tx, winners, { by, now })
  await notifyWinners(tx, edition, winners, now)
  emit(tx, { type: 'award.published', subject: guid, actor: by })
}

/** The digests of the first round and of the runoffs, if any. (A10) */
export function digestsOf(counts: readonly BallotCount[]) {
  const hasRunoff = counts.some(({ round }) => round === 2)
  return {
    ballotsDigest: ballotsDigest(ballotsOf(counts, 1)),
    runoffDigest: hasRunoff ? ballotsDigest(ballotsOf(counts, 2)) : null,
  }
}

async function notifyWinners(tx: Tx, edition: Edition, winners: readonly Winner[], now: Date): Promise<void> {
  const categories = new Map(winners.map(({ category }) => [category.guid, category]))
  for (const category of categories.values()) {
    const users = winners.filter((winner) => winner.category.guid === category.guid).map(({ userGuid }) => userGuid)
    await notifyEach(tx, users, wonNotice(edition, category), now)
  }
}
