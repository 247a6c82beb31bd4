import { type Ballot, type CategoryCount, type Count, tally } from './tally.ts'

/**
 * Places and winners from counted ballots, with runoffs. Pure, and the order of the ballots does not matter. The page of
 * the results counts again by the same functions.
 */

/** Ballots of one category, round and nominee, with their number. */
export interface BallotCount extends Ballot {
  readonly round: number
  readonly votes: number
}

/** Yields each ballot of a round separately, as the count needs it. */
export function* ballotsOf(counts: Iterable<BallotCount>, round: 1 | 2): Generator<Ballot> {
  for (const count of counts) {
    if (count.round === round) for (let left = count.votes; left > 0; left -= 1) yield count
  }
}

interface RunCategory {
  readonly guid: string
  /** Who is or was in a runoff; null without one. */
  readonly runoffNominees: readonly string[] | null
}

interface RunNominee {
  readonly guid: string
  readonly categoryGuid: string
  readonly declinedAt: unknown
}

export interface NomineeResult {
  /** null if the category has no votes. */
  readonly place: number | null
  readonly votes: number
  /** The share of the category's ballots, 0 to 1. */
  readonly share: number
  readonly winner: boolean
  /** The result in the runoff; null if the nominee was in none. (A9) */
  readonly runoff: { readonly votes: number; readonly share: number } | null
}

/** The result of one category. */
export interface Outcome {
  readonly category: string
  /** By nominee; without nominees that have declined. */
  readonly results: ReadonlyMap<string, NomineeResult>
  /** Nominees that are tied for first place and have had no runoff. (A9) */
  readonly undecided: readonly string[]
}

/** The results of all categories, in their order. (A8, A9) */
export function outcomesOf(
  categories: readonly RunCategory[],
  nominees: readonly RunNominee[],
  counts: readonly BallotCount[],
): Outcome[] {
  const standing = (guid: string) =>
    nominees
      .filter(({ categoryGuid, declinedAt }) => categoryGuid === guid && declinedAt === null)
      .map((nominee) => nominee.guid)
  const first = tally(
    categories.map(({ guid }) => ({ guid, nominees: standing(guid) })),
    ballotsOf(counts, 1),
  )
  const second = tally(
    categories.map(({ guid, runoffNominees }) => ({
      guid,
      nominees: standing(guid).filter((nominee) => runoffNominees?.includes(nominee)),
    })),
    ballotsOf(counts, 2),
  )
  return categories.map(({ guid, runoffNominees }, index) =>
    outcomeOf(guid, runoffNominees, first[index] as CategoryCount, second[index] as CategoryCount),
  )
}

/**
 * Computes the places of a category. Nominees of a runoff come first, placed by it; all others are placed by the first
 * round. The runoff decides only among the nominees it was held for: if later exclusions put other nominees first,
 * there is no second runoff and the first place is shared. It is also shared if the runoff has no votes. (A9)
 */
function outcomeOf(
  category: string,
  runoffNominees: readonly string[] | null,
  first: CategoryCount,
  second: CategoryCount,
): Outcome {
  const held = runoffNominees !== null
  const decides = held && first.tied.length > 0 && first.tied.every((nominee) => runoffNominees.includes(nominee))
  const inRunoff = new Map(second.counts.map((count) => [count.nominee, count]))
  const results = first.counts.map((count): [string, NomineeResult] => {
    const again = inRunoff.get(count.nominee)
    const place = decides && count.winner ? placeAmong(second, first.tied, again) : count.place
    const runoff = again === undefined ? null : { votes: again.votes, share: again.share }
    return [count.nominee, { place, votes: count.votes, share: count.share, winner: place === 1, runoff }]
  })
  return { category, results: new Map(results), undecided: held ? [] : first.tied }
}

/** The place among the tied nominees, with gaps after ties: 1, 2, 2, 4. */
function placeAmong({ counts }: CategoryCount, tied: readonly string[], own: Count | undefined): number {
  const better = counts.filter(({ nominee, votes }) => tied.includes(nominee) && votes > (own?.votes ?? 0))
  return 1 + better.length
}
