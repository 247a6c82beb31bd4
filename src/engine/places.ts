/** The standings of elimination brackets. */

import type { Entrant, Match, Side, Standing, TieBreaker, WithdrawalPolicy } from './types.ts'
import { isOver } from './verdict.ts'

/**
 * Smaller is better. From `earlier` on, a place is `earlier` plus the number of rounds between the loss and the last
 * round of its section.
 */
const place = { champion: 0, stillIn: 1, runnerUp: 2, third: 3, fourth: 4, earlier: 5 } as const

interface Tree {
  readonly matches: ReadonlyMap<number, Match>
  readonly lastUpper: number
  readonly lastLower: number
}

/**
 * The standings of an elimination bracket. The round of the last loss decides the rank; teams that lost in the same
 * round share it.
 *
 * All teams that can still win share the top. A withdrawn team is placed as if it had lost its open matches. Where
 * nobody won the final, the first place stays empty: both finalists are second, and the other ranks do not change.
 * (D70) Byes are not played; a walkover counts as a win and a loss, a double forfeit as a loss of both; games count
 * where scores are recorded. Points are wins. (additions: D, rule 5; G4, G6)
 *
 * Only the rounds decide. Rows with the same rank are listed by seed, and are tied unless `seed` is among the
 * tie-breakers. (D67)
 *
 * @param matches all matches of the bracket, in the order of their numbers
 */
export function standingsOfElimination(
  matches: readonly Match[],
  entrants: readonly Entrant[],
  withdrawn: ReadonlyMap<string, WithdrawalPolicy>,
  tieBreakers: readonly TieBreaker[] = [],
): readonly Standing[] {
  const tree = treeOf(matches)
  const played = matchesOfTeams(matches)
  const placed = entrants.flatMap(({ team, seed }) => {
    if (team === null) return []
    const own = played.get(team) ?? []
    return [{ place: placeOf(team, own.at(-1), tree, withdrawn.has(team)), row: rowOf(team, seed, own) }]
  })
  placed.sort((one, other) => one.place - other.place || seedOf(one.row) - seedOf(other.row))
  const best = isFirstPlaceEmpty(tree, placed) ? 2 : 1
  const seeds = placed.map(({ row }) => row.seed)
  const ranks = ranksOf(
    placed.map((entry) => entry.place),
    best,
  )
  return placed.map(({ row }, index) => {
    const isShared = ranks[index] === ranks[index - 1] || ranks[index] === ranks[index + 1]
    const sameSeed = (other: number) => ranks[index] === ranks[other] && row.seed === seeds[other]
    const isTied = tieBreakers.includes('seed') ? sameSeed(index - 1) || sameSeed(index + 1) : isShared
    return { rank: ranks[index] ?? 0, ...row, tied: isTied }
  })
}

/** Whether the match for first place has no winner and can get none. (D70) */
function isFirstPlaceEmpty({ matches, lastUpper }: Tree, placed: readonly { readonly place: number }[]): boolean {
  if (placed.some((entry) => entry.place === place.champion)) return false
  const all = [...matches.values()]
  const finals = all.filter(({ section }) => section === 'final')
  const last =
    finals.length > 0 ? finals : all.filter((match) => match.section === 'upper' && match.round === lastUpper)
  return last.every(isOver) || placed.every((entry) => entry.place > place.stillIn)
}

/**
 * Competition ranks: one more than the number of teams ahead. Where the first place is empty, the best teams are
 * second; lower ranks move back only where a single team is second.
 * @param best the rank of the first row
 */
function ranksOf(places: readonly number[], best: number): readonly number[] {
  let rank = best
  return places.map((own, index) => {
    if (index > 0 && own !== places[index - 1]) rank = Math.max(index + 1, rank + 1)
    return rank
  })
}

function treeOf(matches: readonly Match[]): Tree {
  const lastOf = (section: Match['section']) =>
    matches.reduce((last, match) => (match.section === section ? Math.max(last, match.round) : last), 0)
  return {
    matches: new Map(matches.map((match) => [match.number, match])),
    lastUpper: lastOf('upper'),
    lastLower: lastOf('lower'),
  }
}

function matchesOfTeams(matches: readonly Match[]): ReadonlyMap<string, readonly Match[]> {
  const own = new Map<string, Match[]>()
  for (const match of matches) {
    for (const { team } of match.sides) {
      if (team === null) continue
      const list = own.get(team)
      if (list === undefined) own.set(team, [match])
      else list.push(match)
    }
  }
  return own
}

function placeOf(team: string, last: Match | undefined, tree: Tree, isWithdrawn: boolean): number {
  if (last === undefined) return place.stillIn
  if (last.status !== 'completed') {
    if (isWithdrawn) return placeOfLoss(last, tree)
    return last.section === 'third_place' ? place.third : place.stillIn
  }
  return hasLost(last, team) ? placeOfLoss(last, tree) : placeOfWin(last, tree)
}

function hasLost(match: Match, team: string): boolean {
  return match.sides.some((side) => side.team === team && isLoss(side))
}

function isLoss({ result }: Side): boolean {
  return result === 'loss' || result === 'forfeit'
}

/** The place after a win. Without a grand final the winner of the lower bracket is second. */
function placeOfWin(match: Match, tree: Tree): number {
  const next = match.winnerTo && tree.matches.get(match.winnerTo.match)
  if (next && next.status !== 'cancelled') return place.stillIn
  if (match.section === 'third_place') return place.third
  return match.section === 'lower' ? place.runnerUp : place.champion
}

/** The place after a loss. A team that would drop to another match is placed as if it had lost that one too. */
function placeOfLoss(match: Match, tree: Tree): number {
  const next = match.loserTo && tree.matches.get(match.loserTo.match)
  if (next) return placeOfLoss(next, tree)
  switch (match.section) {
    case 'third_place':
      return place.fourth
    case 'lower':
      return place.earlier + tree.lastLower - match.round
    case 'upper':
      return match.round === tree.lastUpper ? place.runnerUp : place.earlier + tree.lastUpper - match.round
    default:
      return place.runnerUp
  }
}

function rowOf(team: string, seed: number | null, own: readonly Match[]): Omit<Standing, 'rank' | 'tied'> {
  const results = own
    .filter(({ status, outcome }) => status === 'completed' && outcome !== 'bye')
    .map(({ sides: [first, second] }) =>
      first.team === team ? { own: first, other: second } : { own: second, other: first },
    )
  const won = results.filter((result) => result.own.result === 'win').length
  return {
    team,
    seed,
    group: null,
    played: results.length,
    won,
    drawn: 0,
    lost: results.filter((result) => isLoss(result.own)).length,
    gamesWon: results.reduce((games, result) => games + (result.own.score ?? 0), 0),
    gamesLost: results.reduce((games, result) => games + (result.other.score ?? 0), 0),
    points: won,
    tieBreaks: [],
    decidedBy: null,
  }
}

/** Teams without a seed come last. */
function seedOf({ seed }: Pick<Standing, 'seed'>): number {
  return seed ?? Number.MAX_SAFE_INTEGER
}
