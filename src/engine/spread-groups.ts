/** Seeds an elimination tree from the places of groups, so that teams of one group meet as late as possible. (D68) */

import { firstRound, roundsOfTree } from './seeding.ts'
import type { SeedOrdering } from './types.ts'

/** The origin of an entrant: its place and its group. */
export interface Origin {
  /** The place in the group. Entrants of one place change seeds only with each other. */
  readonly level: number
  /** The group. Each group has at most one entrant per level. */
  readonly group: number
}

/**
 * Returns the indexes of the entrants in their new seed order. Entrants change seeds only within their level. (D68)
 *
 * Every subtree holds as nearly equally many teams of each group as possible. The smallest subtrees are balanced first:
 * this leaves the fewest matches between teams of one group in the first round, then in the second round, and so on.
 * Where every place has a team of every group, an order always exists in which any subtree's counts of two groups
 * differ by one at most. The function finds it: it redistributes the seeds of two groups at a time until no subtree has
 * two more teams of one group than of the other. Where some places lack teams, balance in all rounds may be impossible;
 * the earlier rounds then win.
 *
 * @param entrants 2 to 4096 entrants in the order of their seeds
 */
export function separateGroups(entrants: readonly Origin[], ordering: SeedOrdering): readonly number[] {
  const groups = [...new Set(entrants.map(({ group }) => group))].sort((one, other) => one - other)
  const taken = new Assignment(entrants, linesOf(entrants.length, ordering), groups)
  const subtrees = taken.subtrees()
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const changes = subtrees.filter((subtree) => taken.balance(subtree)).length
    if (changes === 0) break
  }
  return taken.order()
}

/** The maximum number of passes over all subtrees. One pass is enough where every place has a team of every group. */
const maxPasses = 4

/** The line of the first round for each entrant, by the index of the entrant. */
function linesOf(entrants: number, ordering: SeedOrdering): readonly number[] {
  const lines: number[] = []
  for (const [line, filled] of firstRound(entrants, ordering).entries()) if (filled) lines[filled.entrant] = line
  return lines
}

/** The group that holds each seed. Seeds are counted from 0. */
class Assignment {
  readonly #entrants: readonly Origin[]
  readonly #lines: readonly number[]
  readonly #groups: readonly number[]
  readonly #rounds: number
  /** The group of each seed. */
  readonly #groupOf: number[]
  readonly #seedsOf: Map<number, readonly number[]>

  constructor(entrants: readonly Origin[], lines: readonly number[], groups: readonly number[]) {
    this.#entrants = entrants
    this.#lines = lines
    this.#groups = groups
    this.#rounds = roundsOfTree(entrants.length)
    this.#groupOf = entrants.map(({ group }) => group)
    this.#seedsOf = Map.groupBy(entrants.keys(), (seed) => this.#groupOf[seed] ?? 0)
  }

  /** The seeds of each subtree except the whole tree, the smallest subtrees first. */
  subtrees(): readonly (readonly number[])[] {
    const seeds = this.#lines.map((_, seed) => seed)
    return Array.from({ length: this.#rounds - 1 }, (_, index) => index + 1).flatMap((height) => [
      ...Map.groupBy(seeds, (seed) => this.#subtreeOf(seed, height)).values(),
    ])
  }

  /** Redistributes seeds between groups that are unevenly spread in the subtree; returns whether anything changed. */
  balance(subtree: readonly number[]): boolean {
    const stuck = new Set<number>()
    let isChanged = false
    for (;;) {
      const counts = this.#count(subtree)
      const [crowded] = [...counts]
        .filter(([group, count]) => count > 1 && !stuck.has(group))
        .sort(([one, count], [other, another]) => another - count || one - other)
      if (crowded === undefined) return isChanged
      const [group, count] = crowded
      const room = (other: number) => counts.get(other) ?? 0
      const partners = this.#groups
        .filter((other) => room(other) <= count - 2)
        .sort((one, other) => room(one) - room(other) || one - other)
      if (partners.some((partner) => this.#exchange(group, partner))) isChanged = true
      else stuck.add(group)
    }
  }

  order(): readonly number[] {
    const entrantOf = new Map(this.#entrants.map(({ level, group }, index) => [`${level} ${group}`, index]))
    return this.#groupOf.map((group, seed) => entrantOf.get(`${this.#entrants[seed]?.level} ${group}`) ?? seed)
  }

  #subtreeOf(seed: number, height: number): number {
    return (this.#lines[seed] ?? 0) >> height
  }

  #count(seeds: readonly number[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>()
    for (const seed of seeds) {
      const group = this.#groupOf[seed] ?? 0
      counts.set(group, (counts.get(group) ?? 0) + 1)
    }
    return counts
  }

  /**
   * Redistributes the seeds of two groups; returns false, and changes nothing, where teams of one group would not meet
   * later than now.
   */
  #exchange(one: number, other: number): boolean {
    const seeds = [...(this.#seedsOf.get(one) ?? []), ...(this.#seedsOf.get(other) ?? [])].sort((a, b) => a - b)
    const before = new Map(seeds.map((seed) => [seed, this.#groupOf[seed] ?? 0]))
    const after = this.#parted(seeds, before)
    if (!isLess(this.#meetings(seeds, after), this.#meetings(seeds, before))) return false
    for (const [seed, isFirst] of after) this.#groupOf[seed] = isFirst
    for (const group of [one, other]) {
      this.#seedsOf.set(
        group,
        seeds.filter((seed) => after.get(seed) === group),
      )
    }
    return true
  }

  /** The number of pairs of one group that can meet in each round, from the first round. */
  #meetings(seeds: readonly number[], groupOf: ReadonlyMap<number, number>): readonly number[] {
    const meetings = new Array<number>(this.#rounds).fill(0)
    for (const [index, seed] of seeds.entries()) {
      for (const mate of seeds.slice(index + 1)) {
        if (groupOf.get(seed) !== groupOf.get(mate)) continue
        const round = this.#roundOf(seed, mate)
        meetings[round - 1] = (meetings[round - 1] ?? 0) + 1
      }
    }
    return meetings
  }

  #roundOf(seed: number, other: number): number {
    return 32 - Math.clz32((this.#lines[seed] ?? 0) ^ (this.#lines[other] ?? 0))
  }

  /**
   * Distributes the seeds between the two groups. Seeds are paired by level, and separately by subtree from the
   * smallest to the largest, so that each level and each subtree leaves at most one seed unpaired. The two seeds of a
   * pair go to different groups, so that no level and no subtree has two more teams of one group than of the other. The
   * pairs of both kinds form chains and rings, along which the groups alternate.
   */
  #parted(seeds: readonly number[], before: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
    const pairs = { byLevel: this.#pairsOfLevels(seeds), bySubtree: this.#pairsOfSubtrees(seeds) }
    const isFixed = (seed: number | undefined) => seed !== undefined && !pairs.byLevel.has(seed)
    const isEnd = (seed: number) => isFixed(seed) || !pairs.bySubtree.has(seed)
    const [one, other] = [...new Set(before.values())]
    const after = new Map<number, number>()
    const alternate = (chain: readonly number[], anchor: number) => {
      const own = before.get(chain[anchor] ?? -1)
      for (const [index, seed] of chain.entries()) {
        const isOwn = (index - anchor) % 2 === 0
        after.set(seed, (isOwn === (own === one) ? one : other) ?? 0)
      }
    }
    for (const seed of [...seeds.filter(isEnd), ...seeds]) {
      if (after.has(seed)) continue
      const chain = chainOf(seed, pairs)
      const parts = isFixed(chain[0]) && isFixed(chain.at(-1)) ? this.#evenParts(chain, before) : [chain]
      for (const part of parts) alternate(part, anchorOf(part, isFixed))
    }
    return after
  }

  #pairsOfLevels(seeds: readonly number[]): Pairs {
    return paired(Map.groupBy(seeds, (seed) => this.#entrants[seed]?.level).values())
  }

  #pairsOfSubtrees(seeds: readonly number[]): Pairs {
    const pairs = new Map<number, number>()
    for (let height = 1; height <= this.#rounds; height += 1) {
      const left = seeds.filter((seed) => !pairs.has(seed))
      const found = paired(Map.groupBy(left, (seed) => this.#subtreeOf(seed, height)).values())
      for (const [seed, mate] of found) pairs.set(seed, mate)
    }
    return pairs
  }

  /**
   * A chain whose two ends keep their group. It stays whole where alternating groups fit both ends. Otherwise it is cut
   * between two neighbours of different levels, the pair that would meet latest.
   */
  #evenParts(chain: readonly number[], before: ReadonlyMap<number, number>): readonly (readonly number[])[] {
    const isSame = before.get(chain[0] ?? -1) === before.get(chain.at(-1) ?? -1)
    if (isSame === (chain.length % 2 === 1)) return [chain]
    const level = (index: number) => this.#entrants[chain[index] ?? -1]?.level
    const meetings = chain.slice(1).map((seed, index) => {
      return level(index) === level(index + 1) ? 0 : this.#roundOf(chain[index] ?? 0, seed)
    })
    const cut = meetings.indexOf(Math.max(...meetings)) + 1
    return [chain.slice(0, cut), chain.slice(cut)]
  }
}

/** Maps each seed of a pair to the other seed; the two go to different groups. */
type Pairs = ReadonlyMap<number, number>

function paired(found: Iterable<readonly number[]>): Pairs {
  const pairs = new Map<number, number>()
  for (const [first, second] of found) {
    if (first === undefined || second === undefined) continue
    pairs.set(first, second)
    pairs.set(second, first)
  }
  return pairs
}

/** The chain or ring of paired seeds that starts at the given seed: an end of a chain, or any seed of a ring. */
function chainOf(seed: number, { byLevel, bySubtree }: Record<'byLevel' | 'bySubtree', Pairs>): readonly number[] {
  const chain = [seed]
  let isByLevel = byLevel.has(seed) && !bySubtree.has(seed)
  for (;;) {
    const next = (isByLevel ? byLevel : bySubtree).get(chain.at(-1) ?? -1)
    if (next === undefined || next === seed) return chain
    chain.push(next)
    isByLevel = !isByLevel
  }
}

/** The index of the seed that keeps its group: an end that must keep it, otherwise the best seed. */
function anchorOf(chain: readonly number[], isFixed: (seed: number | undefined) => boolean): number {
  if (isFixed(chain[0])) return 0
  return isFixed(chain.at(-1)) ? chain.length - 1 : chain.indexOf(Math.min(...chain))
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, at) => value !== other[at])
  return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0)
}
