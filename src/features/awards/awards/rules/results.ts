import { conflict, type Problem } from '../../../../core/problem.ts'
import { type Ballot, type CategoryCount, type Count, tally } from '../../../../engine/awards/tally.ts'
import type { Category, Edition, Nominee, NomineeResult } from '../types.ts'

/** From counted ballots to places and winners. Pure, and the same from the same ballots, in whatever order. */

/** How many ballots there are of a kind. */
export interface BallotCount extends Ballot {
  readonly round: number
  readonly votes: number
}

/** Every ballot of a round by itself, as it is counted. */
export function* ballotsOf(counts: Iterable<BallotCount>, round: 1 | 2): Generator<Ballot> {
  for (const count of counts) {
    if (count.round === round) for (let left = count.votes; left > 0; left -= 1) yield count
  }
}

type RunCategory = Pick<Category, 'guid' | 'runoffNominees'>
type RunNominee = Pick<Nominee, 'guid' | 'categoryGuid' | 'declinedAt'>

/** What the ballots of one category come to. */
interface Outcome {
  readonly category: string
  /** By nominee; those who have declined are not among them. */
  readonly results: ReadonlyMap<string, NomineeResult>
  /** Who is tied at the first place without a runoff having been held among them. (A9) */
  readonly undecided: readonly string[]
}

/** In the order of the categories. (A8, A9) */
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
 * Who was in a runoff is placed by it, in front; everybody else by the first round. It decides among those whom it was held for: where
 * votes were left out since, so that others are first, there is no second runoff, and the first place is shared. Where nobody voted
 * in the runoff, it is shared too. (A9)
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

/** 1, 2, 2, 4 among the tied. */
function placeAmong({ counts }: CategoryCount, tied: readonly string[], own: Count | undefined): number {
  const better = counts.filter(({ nominee, votes }) => tied.includes(nominee) && votes > (own?.votes ?? 0))
  return 1 + better.length
}

/** The categories in which a runoff is to be held: where the rules ask for one, those that are tied and have had none. (A9) */
export function runoffsDue({ rules }: Pick<Edition, 'rules'>, outcomes: readonly Outcome[]): readonly Outcome[] {
  return rules.tie === 'runoff' ? outcomes.filter(({ undecided }) => undecided.length > 1) : []
}

/**
 * Results wait for the runoffs that the rules ask for. (A9)
 * @throws Problem `award.runoff_due`
 */
export function checkIsDecided(edition: Pick<Edition, 'rules'>, outcomes: readonly Outcome[]): void {
  if (runoffsDue(edition, outcomes).length === 0) return
  throw conflict('award.runoff_due', 'First places are tied; have a runoff by setting the status to `voting` again.')
}

/**
 * Whether a step was refused because of what the counts say, rather than of the phase or of the rules alone. With exclusions that
 * could be made and lifted between such answers, whoever manages an edition would learn for whom a user voted, and leave no trace;
 * therefore they are fixed by the first of them. (A4, A5, A7)
 */
export function isAnswerOfCounts({ code }: Pick<Problem, 'code'>, { tie }: Pick<Edition['rules'], 'tie'>): boolean {
  return tie === 'runoff' && (code === 'award.runoff_due' || code === 'award.no_ties')
}

/** @throws Problem `award.exclusions_fixed` for the votes of a round that the managers were answered by */
export function checkMayExclude({ exclusionsFixedAt }: Pick<Edition, 'exclusionsFixedAt'>, isAnswered: boolean): void {
  if (exclusionsFixedAt === null || !isAnswered) return
  throw conflict(
    'award.exclusions_fixed',
    'Whether first places are tied has been told since: whose votes of the first round are left out stays as it is.',
  )
}
