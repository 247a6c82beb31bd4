import type { Entrant, Match, Plan, Settings, Side, SideIndex } from './types.ts'

/** Two members of a group, by index; the first one takes the first side. */
type Pair = readonly [number, number]

/**
 * Plans a round robin: every team plays every other team of its group, `legs` times. (G2; FIDE handbook, Berger tables)
 *
 * `teams` are in seed order; the i-th takes slot i. Round r of the bracket is round r of every group. Matches are
 * numbered by round, then by group. In an odd group one team rests in each round, without a match. The second leg
 * repeats the first with the sides swapped.
 */
export function planRoundRobin(
  teams: readonly Pick<Entrant, 'seed' | 'team'>[],
  settings: Pick<Settings, 'groups' | 'distribution' | 'legs' | 'bestOf' | 'bestOfByRound'>,
): Plan {
  const entrants = teams.map(({ seed, team }, index): Entrant => ({ slot: index + 1, seed, team }))
  const groups = Array.from({ length: settings.groups }, (_, group) =>
    entrants.filter(({ slot }) => groupOf(slot, entrants.length, settings) === group),
  )
  const schedules = groups.map((members) => schedule(members.length, settings.legs))
  const matches: Match[] = []
  for (let round = 1; schedules.some((rounds) => rounds.length >= round); round += 1) {
    const bestOf = settings.bestOfByRound[`group:${round}`] ?? settings.bestOf
    groups.forEach((members, group) => {
      for (const pair of schedules[group]?.[round - 1] ?? []) {
        const number = matches.length + 1
        matches.push({
          ...unplayed,
          number,
          round,
          group,
          bestOf,
          sides: [side(members, pair, 0), side(members, pair, 1)],
        })
      }
    })
  }
  return { entrants, matches }
}

/**
 * The group of a slot, from 0, among `size` slots. (additions: G2)
 *
 * `snake` runs back and forth through the groups, so that strong teams are spread evenly. `sequential` fills one group
 * after the other. The sizes of groups differ by at most one.
 */
export function groupOf(slot: number, size: number, settings: Pick<Settings, 'groups' | 'distribution'>): number {
  const { groups, distribution } = settings
  const index = slot - 1
  if (distribution === 'snake') {
    const place = index % groups
    return Math.floor(index / groups) % 2 === 0 ? place : groups - 1 - place
  }
  const small = Math.floor(size / groups)
  const larger = size % groups
  const inLarger = larger * (small + 1)
  return index < inLarger ? Math.floor(index / (small + 1)) : larger + Math.floor((index - inLarger) / small)
}

/** The rounds of a group of `size` members, one leg after the other. */
function schedule(size: number, legs: number): readonly (readonly Pair[])[] {
  const even = size + (size % 2)
  const first = Array.from({ length: Math.max(even - 1, 0) }, (_, round) => pairsOf(round, size, even))
  if (legs === 1) return first
  return [...first, ...first.map((pairs) => pairs.map(([one, other]): Pair => [other, one]))]
}

/**
 * A round of the Berger table, counted from 0. All members except the last are on a circle: the pivot plays the last
 * member, and members at equal distances on either side of the pivot play each other. In the next round the pivot moves
 * on by half the circle. In an odd group the pivot rests. Every member has the first side as often as the second, give
 * or take one.
 */
function pairsOf(round: number, size: number, even: number): readonly Pair[] {
  const circle = even - 1
  const last = even - 1
  const pivot = (round * (even / 2)) % circle
  const pairs: Pair[] = []
  if (last < size) pairs.push(pivot < even / 2 ? [pivot, last] : [last, pivot])
  for (let distance = 1; distance < even / 2; distance += 1) {
    pairs.push([(pivot + distance) % circle, (pivot - distance + circle) % circle])
  }
  return pairs
}

function side(members: readonly Entrant[], pair: Pair, index: SideIndex): Side {
  const member = members[pair[index]]
  if (member === undefined) throw new Error(`A group of ${members.length} has no member ${pair[index]}.`)
  return { slot: member.slot, from: null, bye: false, team: member.team, empty: false, score: null, result: null }
}

const unplayed = {
  section: 'group',
  winnerTo: null,
  loserTo: null,
  conditional: false,
  pairing: null,
  games: [],
  decision: null,
  started: false,
  reopened: false,
  status: 'locked',
  outcome: null,
} as const
