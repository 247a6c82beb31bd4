/** Who came where in a knockout. */

import type { Entrant, Match, Side, Standing, WithdrawalPolicy } from './types.ts'

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
 * Whoever can still win shares the top, and a team that withdrew is where its open matches would leave it. A double
 * forfeit of the last match leaves the first rank empty. Byes are not played; walkovers are won and lost, and a double
 * forfeit is lost by both; games count where scores stand. Points are wins. (additions D5, G4, G6)
 *
 * @param matches all of the bracket, in the order of their numbers
 */
export function standingsOfElimination(
  matches: readonly Match[],
  entrants: readonly Entrant[],
  withdrawn: ReadonlyMap<string, WithdrawalPolicy>,
): readonly Standing[] {
  const tree = treeOf(matches)
  const played = matchesOfTeams(matches)
  const placed = entrants.flatMap(({ team, seed }) => {
    if (team === null) return []
    const own = played.get(team) ?? []
    return [{ place: placeOf(team, own.at(-1), tree, withdrawn.has(team)), row: rowOf(team, seed, own) }]
  })
  placed.sort((one, other) => one.place - other.place || seedOf(one.row) - seedOf(other.row))
  const best = placed.every((entry) => entry.place > place.stillIn) ? 2 : 1
  const ranks = new Map<number, number>()
  return placed.map((entry, index) => {
    const rank = ranks.get(entry.place) ?? index + best
    ranks.set(entry.place, rank)
    return { rank, ...entry.row }
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

function rowOf(team: string, seed: number | null, own: readonly Match[]): Omit<Standing, 'rank'> {
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
