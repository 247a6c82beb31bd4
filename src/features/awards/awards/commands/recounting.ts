import type { SignedIn } from '../../../../core/actor.ts'
import { invalid } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import { outcomesOf } from '../../../../engine/awards/outcomes.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyAll } from '../../../people/notifications/commands.ts'
import { correctedNotice } from '../rules/notices.ts'
import { checkPhase } from '../rules/phases.ts'
import { agree, type Difference, differencesOf } from '../rules/recounting.ts'
import { type Winner, winnersOf, without } from '../rules/winners.ts'
import { countBallots, countVotes, remakeBallots } from '../store/ballots.ts'
import { listCategories, lockEdition } from '../store/editions.ts'
import { listNominees } from '../store/nominees.ts'
import { writeNomineeResults, writeResults } from '../store/results.ts'
import { listOrganisers } from '../store/targets.ts'
import type { Edition } from '../types.ts'
import { moveBadges } from './awarding.ts'
import { digestsOf } from './publishing.ts'

export interface Recount {
  /** Whether the ballots are those that the sealed votes would give; null once the votes are deleted. */
  readonly agrees: boolean | null
  /** null during `counting`, when no numbers may be told. */
  readonly found: { readonly differences: readonly Difference[]; readonly ballotsDigest: string } | null
  /** Whether the results were corrected. */
  readonly applied: boolean
}

export interface RecountInput {
  readonly apply?: boolean | undefined
  readonly reason?: string | undefined
}

/**
 * Counts again: the sealed votes with the present exclusions or, once these votes are deleted, the ballots. With
 * `apply` and a reason, differences are corrected: badges move, and a public list shows date and reason. (A11; awards:
 * Details, 1)
 * @throws Problem `award.phase_wrong`, `award.reason_missing`
 */
export async function recount(
  tx: Tx,
  actor: SignedIn,
  { guid }: Pick<Edition, 'guid'>,
  { apply = false, reason }: RecountInput,
  now: Date,
): Promise<Recount> {
  if (apply && reason === undefined) {
    throw invalid('award.reason_missing', 'Say in `reason` why the results are corrected; everybody can read it.')
  }
  const edition = await lockEdition(tx, guid)
  if (edition === undefined) throw new Error('an edition that was voted in is not deleted')
  // Unpublished results need no correction.
  checkPhase(edition, apply ? ['published'] : ['counting', 'published'])
  const ballots = await countBallots(tx, guid)
  const votes = edition.votesDeletedAt === null ? await countVotes(tx, guid) : null
  const agrees = votes === null ? null : agree(ballots, votes)
  if (edition.status === 'counting') return { agrees, found: null, applied: false }
  const counts = votes ?? ballots
  const categories = await listCategories(tx, guid)
  const nominees = await listNominees(tx, guid)
  const outcomes = outcomesOf(categories, nominees, counts)
  const results = new Map(outcomes.flatMap((outcome) => [...outcome.results]))
  const differences = differencesOf(categories, nominees, results)
  const digests = digestsOf(counts)
  const { results: published } = edition
  if (published === null) throw new Error('what is published has results')
  const isSameList =
    digests.ballotsDigest === published.ballotsDigest && digests.runoffDigest === published.runoffDigest
  // A public correction is made only if published data changes: results, digests or the list of ballots.
  const isRight = differences.length === 0 && agrees !== false && isSameList
  const found = { differences, ballotsDigest: digests.ballotsDigest }
  if (!apply || reason === undefined || isRight) return { agrees, found, applied: false }
  if (votes !== null) await remakeBallots(tx, guid)
  const correction = { at: formatInstant(now), reason }
  await writeNomineeResults(tx, guid, results)
  await writeResults(tx, guid, {
    results: { ...published, ...digests },
    corrections: [...edition.corrections, correction],
    updatedAt: now,
  })
  const organisers = await listOrganisers(tx, guid)
  const shown = new Map(nominees.map(({ guid: nominee, result }) => [nominee, result]))
  const [before, after] = [shown, results].map((of) =>
    winnersOf(categories, nominees, organisers, (nominee) => of.get(nominee)),
  ) as [Winner[], Winner[]]
  await moveBadges(tx, before, after, { by: actor.guid, now, reason })
  const noticeFor =
    (hasWon: boolean) =>
    ({ userGuid, category }: Winner) => ({
      ...correctedNotice(edition, category, hasWon, reason),
      userGuid,
      createdAt: now,
    })
  await notifyAll(tx, [...without(before, after).map(noticeFor(false)), ...without(after, before).map(noticeFor(true))])
  emit(tx, { type: 'award.corrected', subject: guid, actor: actor.guid, after: { reason } })
  return { agrees: votes === null ? null : true, found, applied: true }
}
