import type { MapResult, QualifierInput, QualifierPlayer, TeamResult } from './qualifier-types.ts'

/** The results of players and teams on each map, from their attempts. */

interface Best {
  readonly attempt: string
  readonly score: number
  readonly accuracy: number | null
}
/** The best attempts by map, then by player. */
type Bests = Map<string, Map<string, Best>>

/**
 * The best attempt of each player on each map: the one with the highest score. Attempts that were quit, and attempts
 * known only to have begun (`placeholder`), never count. For teams only the attempts count that active members played
 * for their current team. (additions: Details, 10)
 */
export function bestAttempts({ attempts, settings, maps, players }: QualifierInput): {
  ofPlayers: Bests
  ofTeams: Bests
} {
  const maxScores = new Map(maps.map(({ map, maxScore }) => [map, maxScore]))
  const known = new Map(players.map((player) => [player.player, player]))
  const ofPlayers: Bests = new Map(maps.map(({ map }) => [map, new Map()]))
  const ofTeams: Bests = new Map(maps.map(({ map }) => [map, new Map()]))
  for (const attempt of attempts) {
    const counts = attempt.completion === 'passed' || (attempt.completion === 'failed' && settings.failCounts)
    const player = known.get(attempt.player)
    if (!counts || player === undefined) continue
    const maxScore = maxScores.get(attempt.map) ?? null
    const { score, accuracy } = attempt
    const best = { attempt: attempt.attempt, score, accuracy: accuracy ?? accuracyOf(score, maxScore) }
    rememberBetter(ofPlayers.get(attempt.map), attempt.player, best)
    if (player.isActive && attempt.team === player.team) rememberBetter(ofTeams.get(attempt.map), attempt.player, best)
  }
  return { ofPlayers, ofTeams }
}

function rememberBetter(bests: Map<string, Best> | undefined, player: string, best: Best): void {
  const before = bests?.get(player)
  if (before === undefined || isBetter(best, before)) bests?.set(player, best)
}

function isBetter(a: Best, b: Best): boolean {
  return a.score > b.score || (a.score === b.score && (a.accuracy ?? -1) > (b.accuracy ?? -1))
}

/** The score divided by the maximum score of the map without modifiers; null where the maximum is unknown. */
export function accuracyOf(score: number, maxScore: number | null): number | null {
  return maxScore === null || maxScore === 0 ? null : score / maxScore
}

type Scored = { readonly score: number; readonly accuracy: number | null }

/** The results by name with their ranks, the best first. */
export function ranked<T extends Scored>(results: ReadonlyMap<string, T>): Map<string, T & MapResult> {
  const sorted = [...results].toSorted(([, a], [, b]) => b.score - a.score)
  let rank = 0
  return new Map(
    sorted.map(([name, result], index) => {
      if (index === 0 || sorted[index - 1]?.[1].score !== result.score) rank = index + 1
      return [name, { ...result, rank }]
    }),
  )
}

export function activeMembersOf(players: readonly QualifierPlayer[]): ReadonlyMap<string, readonly QualifierPlayer[]> {
  return Map.groupBy(
    players.filter(({ isActive }) => isActive),
    ({ team }) => team,
  )
}

/** The best rank of a member on the ranking platform; null for none. */
export function bestRank(members: readonly QualifierPlayer[]): number | null {
  const ranks = members.map(({ rankingRank }) => rankingRank ?? 0).filter((rank) => rank > 0)
  return ranks.length === 0 ? null : Math.min(...ranks)
}

interface TeamBest extends Scored {
  readonly team: string
  readonly members: TeamResult['members']
  /** The accuracy of the best member whose result does not count. */
  readonly next: number
}
type RankedTeam = TeamBest & MapResult

/**
 * The results of all teams on a map. The score is the sum, and the accuracy the mean, of the best active members.
 * Members without a result count as 0 in both. (additions: Details, 8)
 */
export function resultsOfTeams(
  bests: ReadonlyMap<string, Best>,
  activeMembers: ReadonlyMap<string, readonly QualifierPlayer[]>,
  playerResults: ReadonlyMap<string, MapResult>,
  topPlayers: number | null,
): Map<string, RankedTeam> {
  const teams = new Map<string, TeamBest>()
  for (const [team, members] of activeMembers) {
    const results = members
      .flatMap(({ player }) => ({ player, best: bests.get(player) }))
      .filter((each): each is { player: string; best: Best } => each.best !== undefined)
      .toSorted((a, b) => b.best.score - a.best.score || (b.best.accuracy ?? 0) - (a.best.accuracy ?? 0))
    if (results.length === 0) continue
    const places = Math.min(topPlayers ?? members.length, members.length)
    const counted = results.slice(0, places)
    const accuracies = counted.map(({ best }) => best.accuracy)
    const isKnown = accuracies.some((accuracy) => accuracy !== null)
    teams.set(team, {
      team,
      score: sum(counted.map(({ best }) => best.score)),
      accuracy: isKnown ? exact(sum(accuracies.map((accuracy) => accuracy ?? 0)) / places) : null,
      members: counted.map(({ player, best }) => ({
        player,
        attempt: best.attempt,
        result: { score: best.score, accuracy: best.accuracy, rank: playerResults.get(player)?.rank ?? 0 },
      })),
      next: results[places]?.best.accuracy ?? 0,
    })
  }
  return ranked(teams)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Rounds to nine decimals, because sums of the same numbers may differ by the order of adding. */
export function exact(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * 1e9) / 1e9
}
