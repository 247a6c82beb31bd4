import type { BallotCount, NomineeResult } from '../../../../engine/awards/outcomes.ts'
import type { Category, Nominee } from '../types.ts'

/** Compares a second count with the first. (A11) */

/** Whether both counts are of the same ballots, in any order. */
export function agree(one: readonly BallotCount[], other: readonly BallotCount[]): boolean {
  const linesOf = (counts: readonly BallotCount[]) =>
    counts
      .map(({ category, round, nominee, votes }) => `${category} ${round} ${nominee} ${votes}`)
      .sort()
      .join('\n')
  return linesOf(one) === linesOf(other)
}

/** A nominee whose published result differs from the new count; null where there is no result. */
export interface Difference {
  readonly categoryGuid: string
  readonly nomineeGuid: string
  readonly before: NomineeResult | null
  readonly after: NomineeResult | null
}

/** Ordered by category, then by nominee. */
export function differencesOf(
  categories: readonly Pick<Category, 'guid'>[],
  nominees: readonly Pick<Nominee, 'guid' | 'categoryGuid' | 'result'>[],
  results: ReadonlyMap<string, NomineeResult>,
): Difference[] {
  return categories.flatMap(({ guid: categoryGuid }) =>
    nominees.flatMap((nominee): Difference[] => {
      if (nominee.categoryGuid !== categoryGuid) return []
      const [before, after] = [nominee.result, results.get(nominee.guid) ?? null]
      return isSame(before, after) ? [] : [{ categoryGuid, nomineeGuid: nominee.guid, before, after }]
    }),
  )
}

function isSame(one: NomineeResult | null, other: NomineeResult | null): boolean {
  if (one === null || other === null) return one === other
  return (
    one.place === other.place &&
    one.votes === other.votes &&
    one.share === other.share &&
    one.winner === other.winner &&
    one.runoff?.votes === other.runoff?.votes
  )
}
