/** Who meets whom in a Swiss round, and why. Knows standings and past meetings, and nothing of matches. */

import { Matching } from './matching.ts'
import type { Pairing } from './types.ts'

/** A team that is to be paired. */
export interface PairingTeam {
  readonly team: string
  readonly points: number
  /** Whom it has met, as often as they met, in any order; who is not in any more may be among them. */
  readonly opponents: readonly string[]
  /** How often it has sat out. */
  readonly byes: number
  /** How often it has come down to meet a team with fewer points. */
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
  /** Who sits out, when the number of teams is odd. */
  readonly bye: { readonly team: string; readonly pairing: Pairing } | null
}

/** The teams of one call to a matching: vertices are indices of `teams`, higher-ranked ones first. */
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
 * Pairs a round. (additions: D, rule 8; G7) `teams` come in ranking order; more points come before that order.
 *
 * What counts, in this order: nobody has a second bye while another has none; as few rematches as possible; the bye, and
 * rematches that cannot be avoided, go to the lowest-ranked; from the top group down, whoever can be paired in their group
 * is, those who have come down before first, then the higher-ranked; those who came down meet the highest-ranked of the
 * group that they come to; upper half against lower half. Where a past meeting forbids an opponent, the next lower one
 * takes its place, as long as everybody below can still be paired.
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
 * The bye goes to the lowest-ranked of those with the fewest byes without whom the others need as few rematches as
 * possible. (additions: D, rule 8)
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
 * Pairs an even number of teams. Those for whom nobody is left whom they have met at most `repeats` times meet each other,
 * and they are the lowest-ranked that it can be.
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

/** Pairs vertices that can all be paired without meeting again, group by group from the top. */
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
 * Who leaves a group downwards, and why. Whoever can stay does, asked in this order: those who have come down already,
 * then those who did so more often in earlier rounds, then the higher-ranked. So the lowest-ranked that has not yet
 * floated leaves an odd group. Nobody falls past the next group who need not. (G7)
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

/** Those who come from above meet the highest-ranked of the group, and the rest is paired half against half. */
function pairGroup(
  field: Field,
  arrivals: readonly number[],
  residents: readonly number[],
  descents: ReadonlyMap<number, string>,
): readonly Pair[] {
  const open = new Set(residents)
  // Two of those who came down never meet: they were in the group above together, and would have been paired there.
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
 * Number i of the upper half meets number i of the lower half, or else the next one in the lower half's order with whom
 * the group can be completed: the transpositions of the FIDE handbook (C.04.3, Dutch system). Those without an opponent in
 * the other half, the lowest-ranked of theirs that it can be, are paired in the same way among themselves.
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

/** Settles the opponent of a vertex among those still open, the first that it can be. */
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
