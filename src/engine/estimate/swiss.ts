import type { Points } from '../types.ts'

/**
 * Pairs Swiss rounds fast enough for hundreds of evenings. Rounds have as many matches and byes as those of the engine,
 * and the first round has the same pairs. Later rounds follow the same main rules: the bye goes to the lowest team that
 * had none, teams meet within their points, upper half against lower half, and not again where that can be avoided by
 * looking down the table once.
 */
export class SwissTable {
  readonly #teams: readonly number[]
  readonly #points = new Map<number, number>()
  readonly #hadBye = new Set<number>()
  readonly #met = new Set<number>()
  readonly #worth: Points & { readonly bye: number }

  /** @param teams in seed order */
  constructor(teams: readonly number[], worth: Points & { readonly bye: number }) {
    this.#teams = teams
    this.#worth = worth
  }

  /** @param loser null where no team of the match lost by playing */
  count(winner: number, loser: number | null): void {
    this.#add(winner, this.#worth.win)
    if (loser !== null) this.#add(loser, this.#worth.loss)
  }

  /** The best team first. */
  ranking(): readonly number[] {
    return this.#teams.toSorted((one, other) => this.#pointsOf(other) - this.#pointsOf(one))
  }

  /** The pairs of the next round. A bye counts at once. */
  pair(isFirst: boolean, isOut: (team: number) => boolean): readonly (readonly [number, number])[] {
    const left = this.ranking().filter((team) => !isOut(team))
    if (left.length % 2 === 1) this.#sitOut(left)
    const pairs = isFirst ? halves(left) : this.#pairByPoints(left)
    for (const [one, other] of pairs) this.#met.add(keyOf(one, other))
    return pairs
  }

  #sitOut(left: number[]): void {
    const lowest = left.findLastIndex((team) => !this.#hadBye.has(team))
    const [team] = left.splice(lowest === -1 ? left.length - 1 : lowest, 1)
    if (team === undefined) return
    this.#hadBye.add(team)
    this.#add(team, this.#worth.bye)
  }

  #pairByPoints(left: number[]): readonly (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = []
    for (let first = left.shift(); first !== undefined; first = left.shift()) {
      const at = this.#opponentOf(first, left)
      const [second] = left.splice(at, 1)
      if (second !== undefined) pairs.push([first, second])
    }
    return pairs
  }

  /** The index of the first team from the middle of the point group on, then of any team, that was not met yet. */
  #opponentOf(team: number, left: readonly number[]): number {
    const points = this.#pointsOf(team)
    const beyond = left.findIndex((other) => this.#pointsOf(other) < points)
    const size = beyond === -1 ? left.length : beyond
    const isNew = (other: number, index: number) => index >= Math.floor(size / 2) && !this.#met.has(keyOf(team, other))
    const lower = left.findIndex(isNew)
    if (lower !== -1 && lower < size) return lower
    const any = left.findIndex((other) => !this.#met.has(keyOf(team, other)))
    return any === -1 ? 0 : any
  }

  #pointsOf(team: number): number {
    return this.#points.get(team) ?? 0
  }

  #add(team: number, points: number): void {
    this.#points.set(team, this.#pointsOf(team) + points)
  }
}

function halves(teams: readonly number[]): readonly (readonly [number, number])[] {
  const half = teams.length / 2
  return teams.slice(half).map((lower, index) => [teams[index] ?? lower, lower])
}

function keyOf(one: number, other: number): number {
  return Math.min(one, other) * 65_536 + Math.max(one, other)
}
