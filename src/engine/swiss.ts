/** Swiss rounds as matches: the first round is paired by seed, every later one by the standings. */

import { type PairingTeam, pairNextRound } from './swiss-pairing.ts'
import type { Entrant, Match, Pairing, Plan, Settings, Side, Standing } from './types.ts'

type RoundSettings = Pick<Settings, 'bestOf' | 'bestOfByRound'>

/** The input for the next round. */
export interface SwissBoard {
  readonly matches: readonly Match[]
  readonly entrants: readonly Entrant[]
  /** The standings after the last round; withdrawn teams may be included. */
  readonly standings: readonly Pick<Standing, 'rank' | 'team' | 'points'>[]
  /** The withdrawn teams, which are not paired. */
  readonly withdrawn: { has(team: string): boolean }
}

/** The entrants of a match; `second` is null for a bye. */
interface Lineup {
  readonly first: Entrant
  readonly second: Entrant | null
  readonly pairing: Pairing
}

/**
 * Plans the first round: top half against bottom half by seed, and a bye for the lowest seed of an odd number.
 * (additions D: rule 8; G7)
 *
 * `teams` are in seed order; the i-th takes slot i. Nothing is settled yet: the match of a bye is `locked` like the
 * others.
 */
export function planSwissFirstRound(teams: readonly Pick<Entrant, 'seed' | 'team'>[], settings: RoundSettings): Plan {
  const entrants = teams.map(({ seed, team }, index): Entrant => ({ slot: index + 1, seed, team }))
  const half = Math.floor(entrants.length / 2)
  const lower = entrants.slice(half)
  const lineups = lower.map((entrant, index): Lineup => {
    const opponent = entrants[index]
    if (index === half || opponent === undefined) return { first: entrant, second: null, pairing: firstPairing(null) }
    return { first: opponent, second: entrant, pairing: firstPairing(index + 1) }
  })
  return { entrants, matches: asMatches(lineups, 1, 1, settings) }
}

function firstPairing(place: number | null): Pairing {
  const reason =
    place === null
      ? 'The number of teams is odd, and the lowest seed sits out.'
      : `By seed, number ${place} of the upper half meets number ${place} of the lower half.`
  return { group: 0, floated: false, reason }
}

/**
 * Plans the matches of the next round, numbered from `firstNumber` in the order of the tables, the bye last; empty when
 * no teams remain. (additions: D, rule 8; G7) Nothing is settled yet: the match of a bye is `locked` like the others.
 *
 * The first side of a match that `floated` is the team from the higher point group; later rounds read it there. Two
 * paired teams count as having met, however the match ended.
 */
export function planSwissRound(
  board: SwissBoard,
  settings: RoundSettings & Pick<Settings, 'avoidRematches'>,
  firstNumber: number,
): readonly Match[] {
  const entrants = new Map(board.entrants.map((entrant) => [entrant.team, entrant]))
  const entrantOf = (team: string) => entrants.get(team) ?? missing(team)
  const teams = rankedTeams(board, entrantOf)
  const { pairs, bye } = pairNextRound({ teams, avoidRematches: settings.avoidRematches })
  const lineups = pairs.map(({ teams: [first, second], pairing }): Lineup => {
    return { first: entrantOf(first), second: entrantOf(second), pairing }
  })
  if (bye) lineups.push({ first: entrantOf(bye.team), second: null, pairing: bye.pairing })
  const round = Math.max(0, ...board.matches.map((match) => match.round)) + 1
  return asMatches(lineups, round, firstNumber, settings)
}

/** The teams that have not withdrawn, by rank, then by slot. */
function rankedTeams(board: SwissBoard, entrantOf: (team: string) => Entrant): readonly PairingTeam[] {
  const histories = new Map(
    board.standings.map(({ team }) => [team, { opponents: [] as string[], byes: 0, floats: 0 }]),
  )
  for (const { sides, pairing } of board.matches) {
    for (const [side, other] of [sides, sides.toReversed()] as [Side, Side][]) {
      const history = histories.get(side.team ?? '')
      if (!history) continue
      if (other.bye) history.byes += 1
      else if (other.team !== null) history.opponents.push(other.team)
      if (pairing?.floated && side === sides[0]) history.floats += 1
    }
  }
  return board.standings
    .filter(({ team }) => !board.withdrawn.has(team))
    .toSorted((one, other) => one.rank - other.rank || entrantOf(one.team).slot - entrantOf(other.team).slot)
    .map(({ team, points }) => ({ team, points, ...(histories.get(team) ?? missing(team)) }))
}

function asMatches(
  lineups: readonly Lineup[],
  round: number,
  firstNumber: number,
  settings: RoundSettings,
): readonly Match[] {
  const bestOf = settings.bestOfByRound[`swiss:${round}`] ?? settings.bestOf
  return lineups.map(({ first, second, pairing }, index) => ({
    ...unplayed,
    number: firstNumber + index,
    round,
    pairing,
    bestOf,
    sides: [sideOf(first), sideOf(second)],
  }))
}

function sideOf(entrant: Entrant | null): Side {
  const bye = entrant === null
  return {
    slot: entrant?.slot ?? null,
    from: null,
    bye,
    team: entrant?.team ?? null,
    empty: bye,
    score: null,
    result: null,
  }
}

function missing(team: string): never {
  throw new Error(`Team ${team} stands in the standings, but not in the bracket.`)
}

const unplayed = {
  section: 'swiss',
  group: null,
  winnerTo: null,
  loserTo: null,
  conditional: false,
  games: [],
  decision: null,
  started: false,
  reopened: false,
  status: 'locked',
  outcome: null,
} as const
