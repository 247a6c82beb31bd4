/** The pairing of a Swiss round, with a reason for each pair. It uses standings and past opponents, not matches. */

import { Matching } from './matching.ts'
import type { Pairing } from './types.ts'

/** A team to pair. */
export interface PairingTeam {
  readonly team: string
  readonly points: number
  /** All past opponents in any order, each as often as they met; withdrawn teams may be included. */
  readonly opponents: readonly string[]
  /** The number of byes so far. */
  readonly byes: number
  /** How often the team has floated down to play a team with fewer points. */
  readonly floats: number
}

export interface SwissPair {
  /** The higher-ranked team first. */
  readonly teams: readonly [string, string]
  readonly pairing: Pairing
}

export interface SwissRound {
  /** In the order of the tables: the pair of the highest-ranked team first. */
  readonly pairs: readonly SwissPair[]
  /** The team with the bye, when the number of teams is odd. */
  readonly bye: { readonly team: string; readonly pairing: Pairing } | null
}

/** Teams with their matching. The vertices are indexes of `teams`, higher-ranked teams first. */
interface Field {
  readonly teams: readonly PairingTeam[]
  readonly matching: Matching
  readonly met: (one: number, other: number) => boolean
}

interface Pair {
  readonly first: PairingTeam
  readonly second: PairingTeam
  readonly reason: string
}

/** How often two teams have met. */
type Meetings = (one: PairingTeam, other: PairingTeam) => number

/**
 * Pairs a round. (additions: D, rule 8; G7) `teams` are in ranking order; more points come before that order.
 *
 * The criteria, in order: no team has a second bye while another has none; as few rematches as possible; the bye and
 * unavoidable rematches go to the lowest-ranked teams; from the top point group down, teams are paired within their
 * group where possible, first the teams that floated down before, then the higher-ranked; floaters play the
 * highest-ranked teams of the group they join; upper half against lower half. Where a past meeting forbids an opponent,
 * the next lower team takes its place, as long as all teams below can still be paired.
 */
export function pairNextRound(input: {
  readonly teams: readonly PairingTeam[]
  readonly avoidRematches: boolean
}): SwissRound {
  const ranking = input.teams.toSorted((one, other) => other.points - one.points)
  const meetings = input.avoidRematches ? countMeetings(ranking) : () => 0
  const bye = ranking.length % 2 === 1 ? chooseBye(ranking, meetings) : null
  const playing = ranking.filter(({ team }) => team !== bye?.team)
  const places = new Map(ranking.map((team, place) => [team, place]))
  const placeOf = ({ first }: Pair) => places.get(first) ?? 0
  const pairs = pairTeams(playing, meetings, 0).toSorted((one, other) => placeOf(one) - placeOf(other))
  return { pairs: pairs.map(asSwissPair), bye }
}

function asSwissPair({ first, second, reason }: Pair): SwissPair {
  const pairing = { group: first.points, floated: first.points !== second.points, reason }
  return { teams: [first.team, second.team], pairing }
}

function countMeetings(teams: readonly PairingTeam[]): Meetings {
  const counts = new Map<string, Map<string, number>>()
  for (const { team, opponents } of teams) {
    const met = new Map<string, number>()
    for (const opponent of opponents) met.set(opponent, (met.get(opponent) ?? 0) + 1)
    counts.set(team, met)
  }
  return (one, other) => counts.get(one.team)?.get(other.team) ?? 0
}

/**
 * Chooses the team for the bye: among the teams with the fewest byes, the lowest-ranked one without which the others
 * need the fewest rematches. (additions: D, rule 8)
 */
function chooseBye(ranking: readonly PairingTeam[], meetings: Meetings): SwissRound['bye'] {
  const fewest = Math.min(...ranking.map(({ byes }) => byes))
  const candidates = [...ranking.keys()].filter((place) => ranking[place]?.byes === fewest).reverse()
  const { matching } = fieldOf(ranking, meetings, 0)
  const place = matching.findSpare(candidates) ?? candidates[0]
  const chosen = place === undefined ? undefined : ranking[place]
  if (!chosen) return null
  const whose = fewest === 0 ? 'without a bye so far' : 'with the fewest byes so far'
  const unless = place === candidates[0] ? '' : ' whose absence spares the others a rematch'
  const reason = `The number of teams is odd, and the lowest-ranked team ${whose}${unless} sits out.`
  return { team: chosen.team, pairing: { group: chosen.points, floated: false, reason } }
}

/**
 * Pairs an even number of teams. Teams that cannot get an opponent they have met at most `repeats` times are paired
 * with each other; they are the lowest-ranked teams possible.
 */
function pairTeams(teams: readonly PairingTeam[], meetings: Meetings, repeats: number): readonly Pair[] {
  if (teams.length === 0) return []
  const field = fieldOf(teams, meetings, repeats)
  const left = new Set(field.matching.leaveLast())
  const pairs = pairGroups(
    field,
    [...teams.keys()].filter((vertex) => !left.has(vertex)),
  )
  const rest = pairTeams(
    teams.filter((_, vertex) => left.has(vertex)),
    meetings,
    repeats + 1,
  )
  if (repeats > 0) return [...pairs, ...rest]
  const again = 'They meet again, because no pairing of this round has fewer rematches.'
  return [...pairs, ...rest.map((pair) => ({ ...pair, reason: `${again} ${pair.reason}` }))]
}

function fieldOf(teams: readonly PairingTeam[], meetings: Meetings, repeats: number): Field {
  const met = (one: number, other: number) => {
    const first = teams[one]
    const second = teams[other]
    return first !== undefined && second !== undefined && meetings(first, second) > repeats
  }
  return { teams, met, matching: new Matching(teams.length, (one, other) => !met(one, other)) }
}

/** Pairs the vertices without rematches, group by group from the top. The caller ensures that this is possible. */
function pairGroups(field: Field, vertices: readonly number[]): readonly Pair[] {
  const groups = [...Map.groupBy(vertices, (vertex) => field.teams[vertex]?.points).values()]
  const descents = new Map<number, string>()
  const pairs: Pair[] = []
  let arrivals: readonly number[] = []
  groups.forEach((residents, index) => {
    const floaters = chooseFloaters(field, arrivals, residents, groups.slice(index + 1))
    const stay = (vertex: number) => !floaters.has(vertex)
    pairs.push(...pairGroup(field, arrivals.filter(stay), residents.filter(stay), descents))
    for (const [vertex, why] of floaters) if (!descents.has(vertex)) descents.set(vertex, why)
    arrivals = [...floaters.keys()].toSorted((one, other) => one - other)
  })
  return pairs
}

/**
 * Chooses the teams that float down from a group, with the reason for each. A team stays where it can, in this order:
 * teams that came down into the group, then teams that floated more often in earlier rounds, then the higher-ranked. So
 * the lowest-ranked team that has not yet floated leaves an odd group. A team falls past the next group only where it
 * must. (G7)
 */
function chooseFloaters(
  { matching, teams }: Field,
  arrivals: readonly number[],
  residents: readonly number[],
  groupsBelow: readonly (readonly number[])[],
): ReadonlyMap<number, string> {
  const floatsOf = (vertex: number) => teams[vertex]?.floats ?? 0
  const order = [...arrivals, ...residents.toSorted((one, other) => floatsOf(other) - floatsOf(one) || one - other)]
  const beyondNext = groupsBelow.slice(1).flat()
  for (const vertex of order) matching.avoid(vertex, beyondNext)
  const below = groupsBelow.flat()
  const floaters = order.filter((vertex) => !matching.avoid(vertex, below))
  const isUsual = floaters.length === 1 && floaters[0] === order.at(-1)
  return new Map(floaters.map((vertex) => [vertex, whyDown(isUsual, floatsOf(vertex))]))
}

function whyDown(isUsual: boolean, floats: number): string {
  if (!isUsual) return 'past meetings, its own or those of others, leave it no opponent there'
  const whose = floats === 0 ? 'that has not come down before' : 'of those that have come down least often'
  return `the number of teams there is odd, and it is the lowest-ranked ${whose}`
}

/** Pairs a group: floaters play the highest-ranked teams of the group, the rest plays half against half. */
function pairGroup(
  field: Field,
  arrivals: readonly number[],
  residents: readonly number[],
  descents: ReadonlyMap<number, string>,
): readonly Pair[] {
  const open = new Set(residents)
  // Two floaters never play each other: they would have been paired in the group above.
  const pairs = arrivals.map((vertex) => {
    const opponent = take(field, vertex, open)
    return pairOf(field, vertex, opponent, (points) => {
      const whom = 'in the group that it comes to, it meets the highest-ranked team that past meetings allow'
      return `The first team comes down from ${points}, as ${descents.get(vertex)}: ${whom}`
    })
  })
  return [...pairs, ...pairHalves(field, [...open])]
}

/**
 * Number i of the upper half plays number i of the lower half, or the next one in the order of the lower half with
 * which the group can be completed: the transpositions of the FIDE handbook (C.04.3, Dutch system). Teams without an
 * opponent in the other half are the lowest-ranked possible; they are paired among themselves in the same way.
 */
function pairHalves(field: Field, vertices: readonly number[], areLeft = false): readonly Pair[] {
  if (vertices.length === 0) return []
  const upper = vertices.slice(0, vertices.length / 2)
  const lower = vertices.slice(vertices.length / 2)
  const left = upper.filter((vertex) => !field.matching.avoid(vertex, upper))
  const open = new Set(lower)
  const pairs = upper
    .filter((vertex) => !left.includes(vertex))
    .map((vertex) => {
      const opponent = take(field, vertex, open)
      const place = upper.indexOf(vertex)
      const why = areLeft
        ? noOther
        : whyThese(place, lower.indexOf(opponent), field.met(vertex, lower[place] ?? opponent))
      return pairOf(field, vertex, opponent, (points) => `Both have ${points}: ${why}`)
    })
  return [...pairs, ...pairHalves(field, left, true), ...pairHalves(field, [...open], true)]
}

const noOther = 'past meetings leave them no opponents in the other half of their group'

function whyThese(upper: number, lower: number, hasMetUsual: boolean): string {
  const pair = `number ${upper + 1} of the upper half meets number ${lower + 1} of the lower half`
  if (upper === lower) return pair
  return hasMetUsual ? `${pair}, having met number ${upper + 1} before` : `${pair}, as past meetings of others require`
}

/** Fixes the opponent of a vertex: the first possible one in `open`. */
function take({ matching }: Field, vertex: number, open: Set<number>): number {
  const opponent = matching.settle(vertex, [...open])
  if (opponent === undefined) throw new Error('Nobody is left to be paired with.')
  open.delete(opponent)
  return opponent
}

function pairOf({ teams }: Field, one: number, other: number, reason: (points: string) => string): Pair {
  const first = teams[one]
  const second = teams[other]
  if (!first || !second) throw new Error(`There is no team ${one} or ${other}.`)
  const points = `${first.points} ${first.points === 1 ? 'point' : 'points'}`
  return { first, second, reason: `${reason(points)}.` }
}
