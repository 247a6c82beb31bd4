import { conflict, type Problem } from '../../../../core/problem.ts'
import { type Ballot, type CategoryCount, type Count, tally } from '../../../../engine/awards/tally.ts'
import type { Category, Edition, Nominee, NomineeResult } from '../types.ts'

/**
 * Computes places and winners from counted ballots. The functions are pure, and the order of the ballots does not
 * matter.
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

type RunCategory = Pick<Category, 'guid' | 'runoffNominees'>
type RunNominee = Pick<Nominee, 'guid' | 'categoryGuid' | 'declinedAt'>

/** The result of one category. */
interface Outcome {
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

/** The categories that need a runoff: those with a tie that have had none, if the rules ask for runoffs. (A9) */
export function runoffsDue({ rules }: Pick<Edition, 'rules'>, outcomes: readonly Outcome[]): readonly Outcome[] {
  return rules.tie === 'runoff' ? outcomes.filter(({ undecided }) => undecided.length > 1) : []
}

/**
 * Results are published only after all due runoffs. (A9)
 * @throws Problem `award.runoff_due`
 */
export function checkIsDecided(edition: Pick<Edition, 'rules'>, outcomes: readonly Outcome[]): void {
  if (runoffsDue(edition, outcomes).length === 0) return
  throw conflict('award.runoff_due', 'First places are tied; have a runoff by setting the status to `voting` again.')
}

/**
 * Whether a refusal depends on the counts, and not only on the phase or the rules. If exclusions could be changed
 * between these answers, a manager could find out for which nominee a user voted and leave no trace. The first of these
 * answers therefore fixes the exclusions. (A4, A5, A7)
 */
export function isAnswerOfCounts({ code }: Pick<Problem, 'code'>, { tie }: Pick<Edition['rules'], 'tie'>): boolean {
  return tie === 'runoff' && (code === 'award.runoff_due' || code === 'award.no_ties')
}

/** @throws Problem `award.exclusions_fixed` for votes of a round about which managers were answered */
export function checkMayExclude({ exclusionsFixedAt }: Pick<Edition, 'exclusionsFixedAt'>, isAnswered: boolean): void {
  if (exclusionsFixedAt === null || !isAnswered) return
  throw conflict(
    'award.exclusions_fixed',
    'Whether first places are tied has been told since: whose votes of the first round are left out stays as it is.',
  )
}
