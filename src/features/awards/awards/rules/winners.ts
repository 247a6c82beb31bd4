import type { NomineeResult } from '../../../../engine/awards/outcomes.ts'
import type { Category, Nominee } from '../types.ts'

/** Finds the winners and their badges. */

/** A user who has won in a category, alone or with a team. */
export interface Winner {
  readonly userGuid: string
  readonly category: Pick<Category, 'guid' | 'name' | 'badgeGuid'>
}

type OfCategory = Pick<Category, 'guid' | 'name' | 'badgeGuid' | 'nomineeType'>
type OfNominee = Pick<Nominee, 'guid' | 'categoryGuid' | 'targetGuid' | 'members'>

/**
 * The winners: nominated users, the members of teams as they were when nominations closed, and the organisers of
 * tournaments, who get no badge. (A12)
 * @param organisers GUIDs of the organisers of nominated tournaments, by the tournament's GUID
 */
export function winnersOf(
  categories: readonly OfCategory[],
  nominees: readonly OfNominee[],
  organisers: ReadonlyMap<string, string>,
  resultOf: (nomineeGuid: string) => Pick<NomineeResult, 'winner'> | null | undefined,
): Winner[] {
  return categories.flatMap((category) => {
    const first = nominees.filter(({ guid, categoryGuid }) => categoryGuid === category.guid && resultOf(guid)?.winner)
    const users = first.flatMap((nominee) => peopleOf(category, nominee, organisers))
    const { guid, name } = category
    const badgeGuid = category.nomineeType === 'tournament' ? null : category.badgeGuid
    return [...new Set(users)].map((userGuid) => ({ userGuid, category: { guid, name, badgeGuid } }))
  })
}

function peopleOf(
  { nomineeType }: OfCategory,
  { targetGuid, members }: OfNominee,
  organisers: ReadonlyMap<string, string>,
): readonly string[] {
  if (nomineeType === 'team') return members
  if (targetGuid === null) return []
  if (nomineeType === 'user') return [targetGuid]
  const organiser = nomineeType === 'tournament' ? organisers.get(targetGuid) : undefined
  return organiser === undefined ? [] : [organiser]
}

/**
 * The holders of each badge, the badge with the lowest GUID first. The inner map gives the category's name by the GUID
 * of the holder. (A12)
 */
export function badgesOf(winners: readonly Winner[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const badges = new Map<string, Map<string, string>>()
  for (const { userGuid, category } of winners) {
    if (category.badgeGuid === null) continue
    const holders = badges.get(category.badgeGuid) ?? new Map<string, string>()
    if (!holders.has(userGuid)) holders.set(userGuid, category.name)
    badges.set(category.badgeGuid, holders)
  }
  return new Map([...badges].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The winners of the first list that are not in the second, compared by category and user. (A11) */
export function without(winners: readonly Winner[], others: readonly Winner[]): Winner[] {
  const keyOf = ({ userGuid, category }: Winner) => `${category.guid} ${userGuid}`
  const keys = new Set(others.map(keyOf))
  return winners.filter((winner) => !keys.has(keyOf(winner)))
}
