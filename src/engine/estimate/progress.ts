import { type Exit, empty, type Fixture, type Layout, none, type Programme, unknown } from './layout.ts'
import { Line } from './line.ts'
import { SwissTable } from './swiss.ts'

/**
 * The brackets of one simulated evening: the teams of each match, from the results so far. Byes, walkovers and the reset of a
 * final follow the rules of the engine (progress.ts); a test plays both side by side.
 */
export class Progress {
  /** Matches whose two teams are known. */
  readonly waiting: Line
  readonly #programme: Programme
  readonly #sides: Int32Array
  readonly #isOver: Uint8Array
  readonly #isGone: Uint8Array
  /** The number of matches of each bracket that are not over; `none` before the bracket begins. */
  readonly #open: Int32Array
  readonly #tables: (SwissTable | null)[]
  readonly #rounds: { round: number; open: number }[]
  /** For each bracket what its teams have reached: points, or the match of the last loss. */
  readonly #reached: Map<number, number>[]

  constructor(programme: Programme, teams: number) {
    const { fixtures, layouts } = programme
    this.#programme = programme
    this.waiting = new Line(fixtures.length)
    this.#sides = new Int32Array(2 * fixtures.length).fill(unknown)
    this.#isOver = new Uint8Array(fixtures.length)
    this.#isGone = new Uint8Array(teams)
    this.#open = new Int32Array(layouts.length).fill(none)
    this.#tables = layouts.map(() => null)
    this.#rounds = layouts.map(() => ({ round: 0, open: 0 }))
    this.#reached = layouts.map(() => new Map())
  }

  begin(): void {
    this.#beginNext()
  }

  team(match: number, side: 0 | 1): number {
    return this.#sides[2 * match + side] ?? unknown
  }

  /** Ends a match that was called. `winner` is null where neither team appeared. */
  finish(match: number, winner: 0 | 1 | null): void {
    this.#end(match, winner)
    this.#beginNext()
  }

  /** All further matches of the team go to its opponents. */
  withdraw(team: number): void {
    this.#isGone[team] = 1
    const lost: number[] = []
    for (let match = this.waiting.first(); match !== none; match = this.waiting.after(match)) {
      if (this.team(match, 0) === team || this.team(match, 1) === team) lost.push(match)
    }
    for (const match of lost) {
      this.waiting.remove(match)
      this.#judge(match)
    }
    this.#beginNext()
  }

  /** Begins every bracket whose earlier brackets are over. */
  #beginNext(): void {
    for (const [index, layout] of this.#programme.layouts.entries()) {
      if (this.#open[index] !== none) continue
      if (layout.bracket.after.every((other) => this.#open[other] === 0)) this.#beginBracket(index, layout)
    }
  }

  #beginBracket(index: number, layout: Layout): void {
    const teams = this.#teamsOf(layout)
    this.#open[index] = layout.matches.length
    if (layout.bracket.format === 'swiss') {
      const { points, byePoints } = layout.bracket.settings
      const present = teams.filter((team) => team !== empty)
      this.#tables[index] = new SwissTable(present, { ...points, bye: byePoints })
      this.#pairRounds(index)
      return
    }
    for (const match of layout.matches) {
      const { sides } = this.#fixture(match)
      for (const side of [0, 1] as const) {
        const place = sides[side]
        if (place === empty) this.#sides[2 * match + side] = empty
        else if (place !== unknown) this.#sides[2 * match + side] = teams[place] ?? empty
      }
    }
    for (const match of layout.matches) this.#judge(match)
  }

  /** The teams of the places; open places go to the best teams of earlier brackets, in their order. */
  #teamsOf({ bracket: { places, after } }: Layout): readonly number[] {
    const taken = new Set(places.filter((place) => place !== null))
    const next = after
      .toReversed()
      .flatMap((other) => this.#ranking(other))
      .filter((team) => !taken.has(team) && this.#isGone[team] !== 1)
      .values()
    return places.map((place) => {
      if (place !== null) return place
      const team = next.next().value
      if (team === undefined) return empty
      taken.add(team)
      return team
    })
  }

  /** The teams of a bracket that is over, the best first; those of several groups place by place. */
  #ranking(index: number): readonly number[] {
    const table = this.#tables[index]
    if (table) return table.ranking()
    const reached = this.#reached[index] ?? new Map<number, number>()
    const layout = this.#programme.layouts[index]
    const groups = new Map<number, number>()
    for (const match of layout?.matches ?? []) {
      for (const side of [0, 1] as const) groups.set(this.team(match, side), this.#fixture(match).group)
    }
    const byGroup = Map.groupBy(
      [...groups.keys()].filter((team) => team >= 0).toSorted((one, other) => of(reached, other) - of(reached, one)),
      (team) => groups.get(team) ?? 0,
    )
    const tables = [...byGroup.values()]
    const longest = Math.max(0, ...tables.map((each) => each.length))
    return Array.from({ length: longest }, (_, place) => tables.flatMap((each) => each[place] ?? [])).flat()
  }

  /** Pairs rounds until one has matches. */
  #pairRounds(index: number): void {
    const layout = this.#programme.layouts[index]
    const table = this.#tables[index]
    const state = this.#rounds[index]
    if (layout === undefined || !table || state === undefined) return
    while (state.round < layout.bracket.settings.rounds) {
      const pairs = table.pair(state.round === 0, (team) => this.#isGone[team] === 1)
      const places = layout.matches.slice(state.round * layout.tables, (state.round + 1) * layout.tables)
      state.round += 1
      this.#open[index] = (this.#open[index] ?? 0) - places.length + pairs.length
      if (pairs.length === 0) continue
      state.open = pairs.length
      for (const [at, [first, second]] of pairs.entries()) {
        const match = places[at] ?? none
        this.#sides[2 * match] = first
        this.#sides[2 * match + 1] = second
        this.waiting.add(match)
      }
      return
    }
  }

  /** Decides a match that needs no play; one whose teams are known and present waits for a channel. */
  #judge(match: number): void {
    const [first, second] = [this.team(match, 0), this.team(match, 1)]
    if (first === unknown || second === unknown || this.#isOver[match] === 1 || this.waiting.has(match)) return
    const isFirstOut = first === empty || (second !== empty && this.#isGone[first] === 1)
    const isSecondOut = second === empty || (first !== empty && this.#isGone[second] === 1)
    if (!isFirstOut && !isSecondOut) this.waiting.add(match)
    else if (isFirstOut && isSecondOut) this.#end(match, null)
    else this.#end(match, isFirstOut ? 1 : 0)
  }

  #end(match: number, winner: 0 | 1 | null): void {
    const fixture = this.#fixture(match)
    const { bracket } = fixture
    this.#isOver[match] = 1
    this.#note(match, fixture, winner)
    this.#open[bracket] = (this.#open[bracket] ?? 0) - 1
    this.#pass(match, winner, fixture.winnerTo)
    this.#pass(match, winner === null ? null : winner === 0 ? 1 : 0, fixture.loserTo, winner)
    const round = this.#rounds[bracket]
    if (this.#tables[bracket] && round !== undefined) {
      round.open -= 1
      if (round.open === 0) this.#pairRounds(bracket)
    }
  }

  /**
   * Puts a team of the match on a side of a later match. No team arrives from a match without a winner, nor in the reset
   * of a final unless the team of the lower bracket beat one of the upper bracket.
   */
  #pass(match: number, from: 0 | 1 | null, to: Exit | null, winner = from): void {
    if (to === null) return
    const isReset = this.#fixture(to.match).conditional
    const isUnneeded = isReset && (winner === 0 || this.team(match, 0) === empty)
    this.#sides[2 * to.match + to.side] = from === null || isUnneeded ? empty : this.team(match, from)
    this.#judge(to.match)
  }

  #note(match: number, { bracket, index }: Fixture, winner: 0 | 1 | null): void {
    const [won, lost] =
      winner === 1 ? [this.team(match, 1), this.team(match, 0)] : [this.team(match, 0), this.team(match, 1)]
    const table = this.#tables[bracket]
    const reached = this.#reached[bracket]
    if (winner === null || reached === undefined) return
    if (table) table.count(won, lost)
    else if (this.#programme.layouts[bracket]?.bracket.format === 'round_robin') reached.set(won, of(reached, won) + 1)
    else {
      reached.set(won, Number.POSITIVE_INFINITY)
      reached.set(lost, index)
    }
  }

  #fixture(match: number): Fixture {
    const fixture = this.#programme.fixtures[match]
    if (fixture === undefined) throw new Error(`there is no match ${match}`)
    return fixture
  }
}

function of(values: ReadonlyMap<number, number>, key: number): number {
  return values.get(key) ?? 0
}
