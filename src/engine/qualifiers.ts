import { activeMembersOf, bestAttempts, bestRank, exact, ranked, resultsOfTeams, sum } from './qualifier-results.ts'
import type {
  CutoffSide,
  MapResult,
  QualifierInput,
  QualifierMap,
  QualifierMethod,
  QualifierRow,
  QualifierStandings,
  QualifierTieBreak,
} from './qualifier-types.ts'

/**
 * The standings of a qualifier: ranks players and teams by their attempts, with one of several methods.
 * (additions: Qualifiers; additions: Details, 8 to 10; domain: 4.3)
 */

/**
 * Ranks all players and teams that have a counting result. Apart from sorting, the time is linear in the number of
 * attempts.
 */
export function qualifierStandings(input: QualifierInput): QualifierStandings {
  const { maps, players, settings, cutoff } = input
  const { ofPlayers, ofTeams } = bestAttempts(input)
  const members = activeMembersOf(players)
  const playerResults = maps.map((map) => ({ map, results: ranked(ofPlayers.get(map.map) ?? new Map()) }))
  const teamResults = playerResults.map(({ map, results }) => ({
    map,
    results: resultsOfTeams(ofTeams.get(map.map) ?? new Map(), members, results, settings.topPlayers),
  }))
  const playerRows = rank(
    players.map(({ player, rankingRank }) => ({ name: player, rankingRank, next: () => 0 })),
    playerResults,
    input,
  )
  const teamRows = rank(
    input.teams.map((name) => ({
      name,
      rankingRank: bestRank(members.get(name) ?? []),
      next: (index) => teamResults[index]?.results.get(name)?.next ?? 0,
    })),
    teamResults,
    input,
  )
  return {
    players: playerRows,
    teams: teamRows.map((row) => ({ ...row, cutoffSide: cutoffSideOf(row, teamRows, cutoff) })),
    teamResults: teamResults.map(({ map, results }) => ({
      map: map.map,
      teams: [...results.values()].map(({ next: _, ...result }) => result),
    })),
  }
}

interface Entrant {
  readonly name: string
  readonly rankingRank: number | null
  /** The value of the next member, who does not count, by the index of the map. */
  readonly next: (index: number) => number
}
interface Played {
  readonly map: QualifierMap
  readonly results: ReadonlyMap<string, MapResult>
}
type Method = Pick<QualifierInput, 'method' | 'settings'>

/** The entrants with at least one result, ranked by the method and its tie-breaks. */
function rank(entrants: readonly Entrant[], played: readonly Played[], method: Method): QualifierRow[] {
  const valued = played.map((each) => ({ ...each, worth: worthOf(each, method) }))
  const rows = entrants
    .filter(({ name }) => played.some(({ results }) => results.has(name)))
    .map((entrant) => rowOf(entrant, valued, method))
    .toSorted((a, b) => apart(a, b, method.method).order)
  let rank = 0
  const decisions = rows.map((row, index) => {
    const above = rows[index - 1]
    return above === undefined ? null : apart(above, row, method.method).by
  })
  return rows.map((row, index) => {
    const decidedBy = decisions[index] ?? null
    if (index === 0 || decidedBy !== null) rank = index + 1
    const isLast = index + 1 === rows.length
    const tied = (index > 0 && decidedBy === null) || (!isLast && decisions[index + 1] === null)
    return { ...row, rank, decidedBy, tied }
  })
}

type Unranked = Omit<QualifierRow, 'rank' | 'decidedBy' | 'tied'>

const lowerIsBetter: ReadonlySet<string> = new Set(['sum_of_ranks', 'ranking_rank'])

/** Compares two rows, and names the value or tie-break that separates them. */
function apart(a: Unranked, b: Unranked, method: QualifierMethod): { order: number; by: QualifierRow['decidedBy'] } {
  const byValue = lowerIsBetter.has(method) ? a.value - b.value : b.value - a.value
  if (byValue !== 0) return { order: byValue, by: 'value' }
  for (const [index, { name, value }] of a.tieBreaks.entries()) {
    const other = b.tieBreaks[index]?.value ?? 0
    if (value === other) continue
    return { order: lowerIsBetter.has(name) ? orLast(value) - orLast(other) : other - value, by: name }
  }
  return { order: 0, by: null }
}

/** Puts rank 0, which means no rank, last. (domain: 4.3) */
function orLast(rank: number): number {
  return rank === 0 ? Number.MAX_SAFE_INTEGER : rank
}

/** The value of a result on a map, and of having no result. */
interface Worth {
  readonly of: (result: MapResult) => number | null
  readonly ofNone: number
}

/** The values of results on a map, by the method. (additions: Details, 8 and 9; domain: 4.3) */
function worthOf({ map: { weight }, results }: Played, { method, settings }: Method): Worth {
  const all = [...results.values()]
  const of = valuation(method, all, weight, settings.points)
  if (method === 'sum_of_ranks') return { of, ofNone: 1 + (all.at(-1)?.rank ?? 0) }
  const values = all.map(of).filter((value) => value !== null)
  return { of, ofNone: settings.missing === 'zero' || values.length === 0 ? 0 : Math.min(...values) }
}

function valuation(
  method: QualifierMethod,
  all: readonly MapResult[],
  weight: number,
  points: readonly number[],
): Worth['of'] {
  switch (method) {
    case 'average_accuracy':
    case 'top_players':
      return ({ accuracy }) => accuracy
    case 'weighted_accuracy':
      return ({ accuracy }) => (accuracy === null ? null : weight * accuracy)
    case 'sum_of_scores':
      return ({ score }) => score
    case 'sum_of_ranks':
      return ({ rank }) => rank
    case 'points_per_place':
      return ({ rank }) => points[rank - 1] ?? 0
    case 'percent_of_best': {
      const best = Math.max(0, ...all.map(({ score }) => score))
      return ({ score }) => (best === 0 ? 0 : score / best)
    }
    case 'z_sum': {
      const mean = sum(all.map(({ score }) => score)) / all.length
      const deviation = Math.sqrt(sum(all.map(({ score }) => (score - mean) ** 2)) / all.length)
      return ({ score }) => (deviation === 0 ? 0 : (score - mean) / deviation)
    }
  }
}

function rowOf(
  { name, rankingRank, next }: Entrant,
  played: readonly (Played & { readonly worth: Worth })[],
  { method, settings }: Method,
): Unranked {
  const perMap = played.map(({ map: { map, weight }, results, worth }, index) => {
    const result = results.get(name) ?? null
    return {
      map,
      weight,
      result,
      value: (result === null ? null : worth.of(result)) ?? worth.ofNone,
      next: next(index),
    }
  })
  const counted = bestMaps(perMap, { method, settings })
  const counting = new Set(counted)
  const values: Readonly<Record<QualifierTieBreak, () => number>> = {
    sum_of_scores: () => sum(perMap.map(({ result }) => result?.score ?? 0)),
    average_accuracy: () => mean(perMap.map(({ result }) => result?.accuracy ?? 0).toSorted((a, b) => a - b)),
    ranking_rank: () => rankingRank ?? 0,
    next_player: () => weightedMean(counted.map((each) => ({ value: each.next, weight: each.weight }))),
  }
  return {
    entrant: name,
    value: exact(total(method, counted)),
    perMap: perMap.map((each) => ({
      map: each.map,
      result: each.result === null ? null : mapResult(each.result),
      value: exact(each.value),
      counts: counting.has(each),
    })),
    tieBreaks: tieBreaksOf[method].map((tieBreak) => ({ name: tieBreak, value: exact(values[tieBreak]()) })),
  }
}

function mapResult({ score, accuracy, rank }: MapResult): MapResult {
  return { score, accuracy: accuracy === null ? null : exact(accuracy), rank }
}

type Weighed = { readonly value: number; readonly weight: number }

/** The maps that count. The order does not depend on the input order, so equal values have equal sums. */
function bestMaps<T extends Weighed>(perMap: readonly T[], { method, settings }: Method): readonly T[] {
  return perMap
    .toSorted((a, b) => (lowerIsBetter.has(method) ? a.value - b.value : b.value - a.value) || a.weight - b.weight)
    .slice(0, settings.countMaps ?? perMap.length)
}

/** The total value of an entrant from the values of its maps. */
export function valueOfMaps(perMap: readonly Weighed[], method: Method): number {
  return exact(total(method.method, bestMaps(perMap, method)))
}

function total(method: QualifierMethod, counted: readonly Weighed[]): number {
  if (method === 'average_accuracy') return mean(counted.map(({ value }) => value))
  if (method === 'top_players') return weightedMean(counted)
  return sum(counted.map(({ value }) => value))
}

/** The tie-breaks of each method. They count over all maps, except for `next_player`. (domain: 4.3) */
export const tieBreaksOf: Readonly<Record<QualifierMethod, readonly QualifierTieBreak[]>> = {
  average_accuracy: ['sum_of_scores', 'ranking_rank'],
  sum_of_scores: ['average_accuracy'],
  sum_of_ranks: ['sum_of_scores', 'average_accuracy'],
  weighted_accuracy: ['sum_of_scores', 'average_accuracy'],
  percent_of_best: ['sum_of_scores', 'average_accuracy'],
  z_sum: ['sum_of_scores', 'average_accuracy'],
  points_per_place: ['sum_of_scores', 'average_accuracy'],
  top_players: ['next_player', 'sum_of_scores', 'average_accuracy'],
}

function cutoffSideOf(
  { rank }: Pick<QualifierRow, 'rank'>,
  rows: readonly QualifierRow[],
  cutoff: number | null,
): CutoffSide | null {
  if (cutoff === null) return null
  const [last, first] = [rows[cutoff - 1], rows[cutoff]]
  if (last !== undefined && last.rank === first?.rank && rank === last.rank) return 'tied'
  return rank <= cutoff ? 'above' : 'below'
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length
}

function weightedMean(values: readonly Weighed[]): number {
  const weights = sum(values.map(({ weight }) => weight))
  return weights === 0 ? 0 : sum(values.map(({ value, weight }) => value * weight)) / weights
}
