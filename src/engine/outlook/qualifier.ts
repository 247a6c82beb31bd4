import { activeMembersOf, bestAttempts, exact, sum } from '../qualifier-results.ts'
import type {
  MapResult,
  QualifierInput,
  QualifierMap,
  QualifierMethod,
  QualifierStandings,
} from '../qualifier-types.ts'
import { valueOfMaps } from '../qualifiers.ts'
import { accuracyLimit, type ModifierRule, scoreLimit } from '../score-limits.ts'
import type { OutlookStatus } from './types.ts'

/** The current state of a qualifier, and the attempts still possible. */
export interface QualifierBoard {
  readonly input: QualifierInput
  /** The current standings of the input. */
  readonly standings: QualifierStandings
  /** Under `any`, a score may be up to twice the maximum of the map. (D62) */
  readonly modifiers: ModifierRule
  /** No more attempts are possible. */
  readonly isOver: boolean
  readonly attemptsOf: (player: string, map: string) => PlayersAttempts
}

export interface PlayersAttempts {
  /** The number of attempts that the player may still begin; Infinity without a limit. */
  readonly left: number
  /** An attempt was begun and has no result yet: any result is still possible. */
  readonly isPending: boolean
}

export interface Need {
  readonly map: string
  /** The lowest score that is enough; null where no score is enough or it is unknown. */
  readonly score: number | null
}

export interface QualifierOutlookRow {
  readonly team: string
  readonly status: OutlookStatus
  /** By map; empty for a team above the cutoff, and where scores do not show what is needed. */
  readonly needs: readonly Need[]
}

/**
 * For each team: whether it is sure to finish above the cutoff, may still do so, or may not.
 * (match-flows: Spectators, rule 5)
 *
 * At worst a team keeps its current value. At best every member with an attempt left reaches the highest possible
 * score. Clinched: fewer other teams than the cutoff can still reach the current value of the team. Eliminated: at
 * least as many other teams as the cutoff already have more than the team can still reach. A team without a result has
 * clinched nothing. Once the qualifier is over, the ranks decide.
 * @returns the rows in the order of the standings, then the teams without a result in their given order
 */
export function outlookOfQualifier(board: QualifierBoard): readonly QualifierOutlookRow[] {
  const { input, standings, isOver } = board
  const ranked = new Map(standings.teams.map((row) => [row.entrant, row]))
  const teams = [...ranked.keys(), ...input.teams.filter((team) => !ranked.has(team))]
  const { cutoff } = input
  if (cutoff === null) return teams.map((team) => ({ team, status: 'alive', needs: [] }))
  if (isOver) {
    const sides = { above: 'clinched', tied: 'tied', below: 'eliminated' } as const
    return teams.map((team) => ({ team, status: sides[ranked.get(team)?.cutoffSide ?? 'below'], needs: [] }))
  }
  if (!neverFalls(input)) return teams.map((team) => ({ team, status: 'alive', needs: [] }))
  const prospects = prospectsOf(board, teams)
  const statusOf = compare(prospects, cutoff)
  const ofNone = worthsOfNone(input, standings)
  const bar = standings.teams[cutoff - 1]?.value ?? Number.NEGATIVE_INFINITY
  return prospects.map((each) => ({
    team: each.team,
    status: statusOf(each),
    needs: ranked.get(each.team)?.cutoffSide === 'above' ? [] : needsOf(input, each, ofNone, bar),
  }))
}

const risingMethods: ReadonlySet<QualifierMethod> = new Set([
  'average_accuracy',
  'sum_of_scores',
  'weighted_accuracy',
  'top_players',
])

/**
 * Whether the value of a team never falls. (match-flows: Spectators, rule 5) A weighted mean of only the best maps can
 * fall: a better result may bring a map with a high weight into the mean.
 */
export function neverFalls({ method, settings: { countMaps }, maps }: QualifierInput): boolean {
  if (!risingMethods.has(method)) return false
  const isOfAll = countMaps === null || countMaps >= maps.length
  return method !== 'top_players' || isOfAll || new Set(maps.map(({ weight }) => weight)).size <= 1
}

/** The current result of a team on a map, and the best one still possible. */
interface MapProspect {
  readonly map: QualifierMap
  readonly now: MapResult | null
  /** null where the team can have no result on the map. */
  readonly most: Pick<MapResult, 'score' | 'accuracy'> | null
  /** The number of members that a mean is divided by. */
  readonly places: number
  readonly mayPlay: boolean
}

interface Prospect {
  readonly team: string
  readonly perMap: readonly MapProspect[]
  /** -Infinity for a team without a result. */
  readonly least: number
  readonly most: number
}

function prospectsOf(
  { input, standings, modifiers, attemptsOf }: QualifierBoard,
  teams: readonly string[],
): readonly Prospect[] {
  const { maps, players, settings } = input
  const { ofTeams } = bestAttempts(input)
  const members = activeMembersOf(players)
  const rows = new Map(standings.teams.map((row) => [row.entrant, row]))
  const played = teams.map((team) => ({
    team,
    perMap: maps.map((map, index): MapProspect => {
      const own = members.get(team) ?? []
      const places = Math.min(settings.topPlayers ?? own.length, own.length)
      const bests = ofTeams.get(map.map)
      const each = own.map(({ player }) => ({ best: bests?.get(player), ...attemptsOf(player, map.map) }))
      const scores = each.flatMap(({ best, left, isPending }) => {
        if (left > 0 || isPending) {
          return Math.max(scoreLimit(map.maxScore, modifiers) ?? Number.POSITIVE_INFINITY, best?.score ?? 0)
        }
        return best?.score ?? []
      })
      const accuracies = each.map(({ best, left, isPending }) =>
        left > 0 || isPending ? Math.max(accuracyLimit(modifiers), best?.accuracy ?? 0) : (best?.accuracy ?? 0),
      )
      return {
        map,
        now: rows.get(team)?.perMap[index]?.result ?? null,
        most:
          scores.length === 0
            ? null
            : { score: topOf(scores, places), accuracy: exact(topOf(accuracies, places) / places) },
        places,
        mayPlay: each.some(({ left, isPending }) => left > 0 || isPending),
      }
    }),
  }))
  // A missing map may be worth as much as the worst result there, which may be a result of any team.
  const worst = maps.map((_, index) =>
    settings.missing === 'zero'
      ? 0
      : Math.max(0, ...played.map(({ perMap }) => worthAtMost(perMap[index], input.method))),
  )
  return played.map(({ team, perMap }) => {
    const atLeast = perMap.map((each) => ({
      value: worthOf(each.now, each.map, input.method) ?? 0,
      weight: each.map.weight,
    }))
    const atMost = perMap.map((each, index) => ({
      value: Math.max(
        worthAtMost(each, input.method),
        worthOf(each.now, each.map, input.method) === null ? (worst[index] ?? 0) : 0,
      ),
      weight: each.map.weight,
    }))
    return {
      team,
      perMap,
      least: rows.has(team) ? valueOfMaps(atLeast, input) : Number.NEGATIVE_INFINITY,
      most: perMap.some(({ most }) => most !== null) ? valueOfMaps(atMost, input) : Number.NEGATIVE_INFINITY,
    }
  })
}

function topOf(values: readonly number[], count: number): number {
  return sum(values.toSorted((one, other) => other - one).slice(0, count))
}

function worthAtMost(prospect: MapProspect | undefined, method: QualifierMethod): number {
  return (prospect && worthOf(prospect.most, prospect.map, method)) ?? 0
}

function worthOf(
  result: Pick<MapResult, 'score' | 'accuracy'> | null,
  { weight }: QualifierMap,
  method: QualifierMethod,
): number | null {
  if (result === null) return null
  if (method === 'sum_of_scores') return result.score
  if (result.accuracy === null) return null
  return method === 'weighted_accuracy' ? weight * result.accuracy : result.accuracy
}

function compare(prospects: readonly Prospect[], cutoff: number): (prospect: Prospect) => OutlookStatus {
  const most = prospects.map((each) => each.most).toSorted((one, other) => one - other)
  const least = prospects.map((each) => each.least).toSorted((one, other) => one - other)
  return (own) => {
    const catchingUp = countFrom(most, (value) => value >= own.least) - (own.most >= own.least ? 1 : 0)
    if (own.least !== Number.NEGATIVE_INFINITY && catchingUp < cutoff) return 'clinched'
    const ahead = countFrom(least, (value) => value > own.most)
    return ahead >= cutoff ? 'eliminated' : 'alive'
  }
}

/** The number of values in an ascending list that fit. Only values at its end may fit. */
function countFrom(ascending: readonly number[], fits: (value: number) => boolean): number {
  return ascending.length - firstWhere(0, ascending.length, (index) => fits(ascending[index] ?? 0))
}

/** The first index in the range for which `holds` is true, by binary search; `end` where there is none. */
function firstWhere(from: number, end: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The score needed on each map if the other maps keep their values. Accuracies are computed from scores. */
function needsOf(
  { method, settings }: QualifierInput,
  { perMap }: Prospect,
  ofNone: readonly number[],
  bar: number,
): readonly Need[] {
  const values = perMap.map(({ now, map }, index) => ({
    value: worthOf(now, map, method) ?? ofNone[index] ?? 0,
    weight: map.weight,
  }))
  return perMap.map(({ map, now, most, places, mayPlay }, index) => {
    const { map: name, maxScore } = map
    if (maxScore === null || most === null || !mayPlay) return { map: name, score: null }
    const passes = (score: number) => {
      const result = { score, accuracy: exact(score / (maxScore * places)) }
      const changed = values.with(index, { value: worthOf(result, map, method) ?? 0, weight: map.weight })
      return valueOfMaps(changed, { method, settings }) > bar
    }
    const least = now === null ? 0 : now.score + 1
    if (least > most.score || !passes(most.score)) return { map: name, score: null }
    return { map: name, score: firstWhere(least, most.score, passes) }
  })
}

/** The value of each map for teams without a result there. */
function worthsOfNone({ method, settings, maps }: QualifierInput, { teams }: QualifierStandings): readonly number[] {
  return maps.map((map, index) => {
    if (settings.missing === 'zero') return 0
    const values = teams.flatMap(({ perMap }) => worthOf(perMap[index]?.result ?? null, map, method) ?? [])
    return values.length === 0 ? 0 : Math.min(...values)
  })
}
