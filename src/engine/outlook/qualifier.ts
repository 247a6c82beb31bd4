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

/** A qualifier as it stands, and what may still come. */
export interface QualifierBoard {
  readonly input: QualifierInput
  /** What that comes to now. */
  readonly standings: QualifierStandings
  /** Under `any`, a score may still be twice what the map gives. (D62) */
  readonly modifiers: ModifierRule
  /** Nobody plays any more. */
  readonly isOver: boolean
  readonly attemptsOf: (player: string, map: string) => PlayersAttempts
}

export interface PlayersAttempts {
  /** How many the player may still begin; infinite without a limit. */
  readonly left: number
  /** One that was begun, and of which nothing else is known, may still turn out as anything. */
  readonly isPending: boolean
}

export interface Need {
  readonly map: string
  /** null where no score would do, or nobody knows. */
  readonly score: number | null
}

export interface QualifierOutlookRow {
  readonly team: string
  readonly status: OutlookStatus
  /** By map; empty for whoever is above the cutoff already, and where scores tell nothing. */
  readonly needs: readonly Need[]
}

/**
 * Who is sure to be above the cutoff, who may still come there, and who may not. (match-flows: Spectators, rule 5)
 *
 * At worst a team keeps what it has; at best everybody who has an attempt left reaches the highest score that is possible. Clinched: fewer
 * others than go on could come to as much as the team has. Eliminated: as many others as go on have more now than it could
 * come to. Whoever has no result yet is not sure of anything. Once nobody plays any more, ranks decide.
 * @returns in the order of the standings, then those without a result as they were given
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
 * Whether a value that has been reached stays reached. (match-flows: Spectators, rule 5) A mean by weight of the best maps
 * alone does not: a better result may put a map of much weight among them.
 */
export function neverFalls({ method, settings: { countMaps }, maps }: QualifierInput): boolean {
  if (!risingMethods.has(method)) return false
  const isOfAll = countMaps === null || countMaps >= maps.length
  return method !== 'top_players' || isOfAll || new Set(maps.map(({ weight }) => weight)).size <= 1
}

/** What a team has on a map, and what it could come to. */
interface MapProspect {
  readonly map: QualifierMap
  readonly now: MapResult | null
  /** null for those who can have no result there. */
  readonly most: Pick<MapResult, 'score' | 'accuracy'> | null
  /** How many members a mean is taken of. */
  readonly places: number
  readonly mayPlay: boolean
}

interface Prospect {
  readonly team: string
  readonly perMap: readonly MapProspect[]
  /** Infinitely little for those without a result. */
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
  // A map that somebody leaves out may be worth as much as the worst result there, which may be anybody's.
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

/** How many of an ascending list fit, of which the largest do. */
function countFrom(ascending: readonly number[], fits: (value: number) => boolean): number {
  return ascending.length - firstWhere(0, ascending.length, (index) => fits(ascending[index] ?? 0))
}

/** The first of a range from which on something holds; the end of the range where it never does. */
function firstWhere(from: number, end: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** By map, as if nothing changed on the others, and accuracies followed from scores. */
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

/** What each map is worth to those who have no result there. */
function worthsOfNone({ method, settings, maps }: QualifierInput, { teams }: QualifierStandings): readonly number[] {
  return maps.map((map, index) => {
    if (settings.missing === 'zero') return 0
    const values = teams.flatMap(({ perMap }) => worthOf(perMap[index]?.result ?? null, map, method) ?? [])
    return values.length === 0 ? 0 : Math.min(...values)
  })
}
