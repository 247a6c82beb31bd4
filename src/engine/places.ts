/** Who came where in a knockout. */

import type { Entrant, Match, Side, Standing, TieBreaker, WithdrawalPolicy } from './types.ts'
import { isOver } from './verdict.ts'

/** Smaller is better. From `earlier` on, places count how many rounds before the last one of its section a team lost. */
const place = { champion: 0, stillIn: 1, runnerUp: 2, third: 3, fourth: 4, earlier: 5 } as const

interface Tree {
  readonly matches: ReadonlyMap<number, Match>
  readonly lastUpper: number
  readonly lastLower: number
}

/**
 * The table of an elimination bracket: ranks by the round of the last loss, shared by those who lost in the same one.
 *
 * Whoever can still win shares the top, and a team that withdrew is where its open matches would leave it. A final that
 * nobody won has no first place: both are second, and those behind them are ranked as ever. (D70) Byes are not played; walkovers are won and lost, and a double
 * forfeit is lost by both; games count where scores stand. Points are wins. (additions: D, rule 5; G4, G6)
 *
 * Nothing but the rounds decides: rows that share a rank stand by seed, and are tied unless `seed` is among the
 * tie-breakers. (D67)
 *
 * @param matches all of the bracket, in the order of their numbers
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

/** Nobody won the match for the first place, and nobody can any more. (D70) */
function isFirstPlaceEmpty({ matches, lastUpper }: Tree, placed: readonly { readonly place: number }[]): boolean {
  if (placed.some((entry) => entry.place === place.champion)) return false
  const all = [...matches.values()]
  const finals = all.filter(({ section }) => section === 'final')
  const last =
    finals.length > 0 ? finals : all.filter((match) => match.section === 'upper' && match.round === lastUpper)
  return last.every(isOver) || placed.every((entry) => entry.place > place.stillIn)
}

/**
 * Competition ranks: one more than there are teams ahead. Where the first place is empty the best are second, which moves
 * others back only as far as nobody else shares their rank.
 * @param best rank of the first
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

/** Without a grand final the lower bracket is for the second place. */
function placeOfWin(match: Match, tree: Tree): number {
  const next = match.winnerTo && tree.matches.get(match.winnerTo.match)
  if (next && next.status !== 'cancelled') return place.stillIn
  if (match.section === 'third_place') return place.third
  return match.section === 'lower' ? place.runnerUp : place.champion
}

/** Whoever is out without having been beaten in the matches that follow is placed as if that had happened. */
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

/** Teams without a seed come after those that have one. */
function seedOf({ seed }: Pick<Standing, 'seed'>): number {
  return seed ?? Number.MAX_SAFE_INTEGER
}
