/**
 * Counts the votes for awards. Pure: the same ballots give the same result, in whatever order they come.
 * (awards A8, A9)
 */

export interface Ballot {
  readonly category: string
  readonly nominee: string
}

export interface CountedCategory {
  readonly guid: string
  /** The nominees that can win. Ballots for others, such as a nominee who has declined since, do not count. */
  readonly nominees: readonly string[]
}

export interface Count {
  readonly nominee: string
  readonly votes: number
  /** Share of the ballots that count in the category, 0 to 1. */
  readonly share: number
  /** Equal counts share a place: 1, 2, 2, 4. null if there are no ballots. */
  readonly place: number | null
  readonly winner: boolean
}

export interface CategoryCount {
  readonly category: string
  readonly ballots: number
  /** Counts with the most votes first; equal ones by GUID. */
  readonly counts: readonly Count[]
  /** The nominees who share the first place; empty if there are no ballots or a single winner. */
  readonly tied: readonly string[]
}

export function tally(categories: readonly CountedCategory[], ballots: Iterable<Ballot>): readonly CategoryCount[] {
  const votes = new Map(
    categories.map(({ guid, nominees }) => [guid, new Map(nominees.map((nominee) => [nominee, 0]))] as const),
  )
  for (const { category, nominee } of ballots) {
    const ofCategory = votes.get(category)
    const before = ofCategory?.get(nominee)
    if (before !== undefined) ofCategory?.set(nominee, before + 1)
  }
  return categories.map(({ guid }) => countOf(guid, votes.get(guid) ?? new Map()))
}

function countOf(category: string, votes: ReadonlyMap<string, number>): CategoryCount {
  const ballots = [...votes.values()].reduce((sum, count) => sum + count, 0)
  const ranked = [...votes].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
  const counts = ranked.map(([nominee, count]): Count => {
    const place = ballots === 0 ? null : 1 + ranked.filter(([, more]) => more > count).length
    return { nominee, votes: count, share: ballots === 0 ? 0 : count / ballots, place, winner: place === 1 }
  })
  const first = counts.filter(({ winner }) => winner).map(({ nominee }) => nominee)
  return { category, ballots, counts, tied: first.length > 1 ? first : [] }
}
