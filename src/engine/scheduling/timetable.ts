import { assign } from './assign.ts'
import { type Board, crewOf, type Entry, isLate, type Relation, startOf } from './entries.ts'
import { unusable } from './grid.ts'

/** The place of a match; `crew` has the index of a person for each seat. */
export interface Place {
  readonly start: number
  readonly stream: number
  readonly crew: Int32Array
}

/**
 * A place with its price. The parts of the price are listed by weight: each is compared only where those before it are
 * equal.
 */
export interface Offer extends Place {
  /** The place leaves no time for a match that must follow. */
  readonly late: boolean
  /** The reluctance of the teams and of the officials: their costs of `maybe` and `would_rather_not`. */
  readonly teams: number
  readonly officials: number
  /** The load of the officials from other matches. */
  readonly load: number
}

/** The total reluctance in all matches. */
export type Price = Pick<Offer, 'teams' | 'officials'>

export interface Forced extends Place {
  /** The matches that it drives out. */
  readonly out: readonly number[]
}

/** One `would_rather_not` outweighs any number of `maybe`, and these outweigh any load. */
const maybePrice = 2 ** 20
const reluctantPrice = 1024 * maybePrice

/**
 * Each `would rather not` costs four times as much as the one before of the same person or team, so that they are
 * spread.
 */
const reluctance = (before: number) => 4 ** Math.min(before, 7)

const isBetter = (a: Offer, b: Offer) => precedes(a.late, a.teams, a.officials, a.start, b) || isLighter(a, b)

const isLighter = (a: Offer, b: Offer) =>
  a.late === b.late && a.teams === b.teams && a.officials === b.officials && a.start === b.start && a.load < b.load

function precedes(late: boolean, teams: number, officials: number, start: number, than: Offer): boolean {
  if (late !== than.late) return than.late
  if (teams !== than.teams) return teams < than.teams
  if (officials !== than.officials) return officials < than.officials
  return start < than.start
}

const priceOfStep = (before: number, step: 1 | -1) => (step === 1 ? reluctance(before) : -reluctance(before - 1))

function teamsPriceAt({ marks }: Entry, reluctances: readonly number[], start: number): number {
  let price = 0
  for (let team = 0; team < marks.length; team += 1) {
    const mark = marks[team]?.[start] as number
    price += mark === 2 ? (reluctances[team] as number) : mark
  }
  return price
}

/** The timetable during the search. It never holds two matches that conflict. */
export class Timetable {
  readonly board: Board
  readonly places: (Place | null)[]
  /** The weight of each match: how hard it is to drive out. */
  readonly weights: Float64Array
  /** By quarter of an hour, the match that occupies it: its index + 1, or 0 for none. */
  readonly #streams: readonly Int32Array[]
  readonly #people: readonly Int32Array[]
  readonly #load: Int32Array
  readonly #reluctantPeople: Int32Array
  readonly #reluctantTeams = new Map<string, number>()
  readonly #costs: Float64Array
  #teamsPrice = 0
  #officialsPrice = 0

  constructor(board: Board) {
    const quarters = board.frame.starts + board.frame.span
    this.board = board
    this.places = board.entries.map(() => null)
    this.weights = new Float64Array(board.entries.length).fill(1)
    this.#streams = board.streams.map(() => new Int32Array(quarters))
    this.#people = Array.from({ length: board.population }, () => new Int32Array(quarters))
    this.#load = new Int32Array(board.people.length)
    this.#reluctantPeople = new Int32Array(board.people.length)
    this.#costs = new Float64Array(board.seats.length * board.people.length)
  }

  put(index: number, place: Place): void {
    this.places[index] = place
    this.#write(index, place, index + 1, 1)
  }

  remove(index: number): Place | null {
    const place = this.places[index] ?? null
    if (place === null) return null
    this.places[index] = null
    this.#write(index, place, 0, -1)
    return place
  }

  #write(index: number, { start, stream, crew }: Place, holder: number, step: 1 | -1): void {
    const { entries, frame, seats } = this.board
    const entry = entries[index] as Entry
    this.#streams[stream]?.fill(holder, start, start + frame.span)
    for (const person of entry.held) this.#people[person]?.fill(holder, start, start + frame.span)
    for (const [seat, person] of crew.entries()) {
      this.#people[person]?.fill(holder, start, start + frame.span)
      this.#load[person] = (this.#load[person] as number) + step
      const mark = this.mark(entry, person, seats[seat] as number, start)
      const before = this.#reluctantPeople[person] as number
      if (mark === 2) this.#reluctantPeople[person] = before + step
      this.#officialsPrice += mark === 2 ? 1024 * priceOfStep(before, step) : mark * step
    }
    for (const [at, team] of entry.teams.entries()) {
      const mark = entry.marks[at]?.[start] as number
      const before = this.#reluctantTeams.get(team) ?? 0
      if (mark === 2) this.#reluctantTeams.set(team, before + step)
      this.#teamsPrice += mark === 2 ? 4 * priceOfStep(before, step) : mark * step
    }
  }

  /** The total reluctance of teams and officials. */
  price(): Price {
    return { teams: this.#teamsPrice, officials: this.#officialsPrice }
  }

  /** Whether all teams and officials are `available` for a match at a place. */
  isWelcome(entry: Entry, { start, crew }: Place): boolean {
    return (
      entry.marks.every((marks) => marks[start] === 0) &&
      crew.every((person, seat) => this.mark(entry, person, this.board.seats[seat] as number, start) === 0)
    )
  }

  /** The mark of a person for a match, by role and start. */
  mark(entry: Entry, person: number, role: number, start: number): number {
    return entry.casts[role]?.[person]?.[start] ?? unusable
  }

  /**
   * The first conflict of a match at a start: the relation to a related match, or `people` where people in it are in
   * another match; null for none.
   */
  clash(entry: Entry, start: number): Relation | 'people' | null {
    for (const { index, relation } of entry.near) {
      const place = this.places[index] as Place | null
      if (place !== null && this.#hinders(place.start, relation, start)) return relation
    }
    const isHere = entry.held.every((person) => this.#isFree(this.#people[person] as Int32Array, start))
    return isHere ? null : 'people'
  }

  #hinders(other: number, relation: Relation, start: number): boolean {
    const { gap } = this.board.frame
    if (relation === 'before') return start - other < gap
    if (relation === 'after') return other - start < gap
    return Math.abs(start - other) < gap
  }

  /** The first stream that is free for a match, or -1. */
  freeStream(start: number): number {
    return this.board.streams.findIndex(
      ({ taken }, stream) => taken[start] === 0 && this.#isFree(this.#streams[stream] as Int32Array, start),
    )
  }

  /** All matches have the same length, so a match that overlaps this time occupies its first or its last quarter. */
  #isFree(quarters: Int32Array, start: number): boolean {
    return quarters[start] === 0 && quarters[start + this.board.frame.span - 1] === 0
  }

  /** The cost of one more `would_rather_not` for each team of a match, given those it has elsewhere. */
  #reluctanceOf({ teams }: Entry): readonly number[] {
    return teams.map((team) => 4 * reluctance(this.#reluctantTeams.get(team) ?? 0))
  }

  /** The best free crew for a match at a start, with a free stream; null where either is missing. */
  #offer(entry: Entry, start: number, late: boolean): Offer | null {
    const stream = this.freeStream(start)
    if (stream < 0) return null
    const { people, seats } = this.board
    const costs = this.#costs.fill(Infinity)
    for (let person = 0; person < people.length; person += 1) {
      if (!this.#isFree(this.#people[person] as Int32Array, start)) continue
      const load = 2 * (this.#load[person] as number) + 1
      for (const [seat, role] of seats.entries()) {
        const mark = this.mark(entry, person, role, start)
        if (mark >= unusable) continue
        const will =
          mark === 2 ? reluctantPrice * reluctance(this.#reluctantPeople[person] as number) : mark * maybePrice
        costs[seat * people.length + person] = will + load
      }
    }
    const crew = assign(costs, seats.length, people.length)
    if (crew === null) return null
    const price = crew.reduce((sum, person, seat) => sum + (costs[seat * people.length + person] as number), 0)
    const teams = teamsPriceAt(entry, this.#reluctanceOf(entry), start)
    return { start, stream, crew, late, teams, officials: Math.floor(price / maybePrice), load: price % maybePrice }
  }

  /** The best place for a match at a start without moving other matches; null for none. */
  offerAt(index: number, start: number): Offer | null {
    const entry = this.board.entries[index] as Entry
    if (this.clash(entry, start) !== null) return null
    const choice = entry.choices.find((each) => startOf(each) === start)
    return choice === undefined ? null : this.#offer(entry, start, isLate(choice))
  }

  /** The best place for a match without moving other matches. `known` is a place that it can have for certain. */
  best(index: number, known: Place | null = null): Offer | null {
    const entry = this.board.entries[index] as Entry
    let best = known && this.offerAt(index, known.start)
    const reluctances = this.#reluctanceOf(entry)
    const least = reluctance(this.#reluctantPeople.reduce((fewest, each) => Math.min(fewest, each), Infinity))
    for (const choice of entry.choices) {
      const start = startOf(choice)
      const late = isLate(choice)
      const crew = crewOf(choice)
      const floor = crew + Math.floor(crew / 1024) * 1024 * (least - 1)
      if (best !== null && !precedes(late, teamsPriceAt(entry, reluctances, start), floor, start, best)) continue
      if (this.clash(entry, start) !== null) continue
      const offer = this.#offer(entry, start, late)
      if (offer !== null && (best === null || isBetter(offer, best))) best = offer
    }
    return best
  }

  /**
   * The place for a match that drives out others with the least total weight; among equals the first from `turn` on.
   */
  force(index: number, turn: number): Forced | null {
    const entry = this.board.entries[index] as Entry
    const followers = entry.near.filter(({ relation }) => relation === 'after')
    const delay = this.#weigh(followers.map((each) => each.index))
    let best: Forced | null = null
    let least = Infinity
    for (let step = 0; step < entry.choices.length && least > 0; step += 1) {
      const choice = entry.choices[(turn + step) % entry.choices.length] as number
      const forced = this.forceAt(entry, startOf(choice), least - (isLate(choice) ? delay : 0))
      if (forced === null) continue
      best = forced
      least = this.#weigh(forced.out) + (isLate(choice) ? delay : 0)
    }
    return best
  }

  /** The place at a start that drives out the least weight; null where that is not less than `limit`. */
  forceAt(entry: Entry, start: number, limit = Infinity): Forced | null {
    let weight = 0
    for (const { index, relation } of entry.near) {
      const place = this.places[index] as Place | null
      if (place !== null && this.#hinders(place.start, relation, start)) weight += this.weights[index] as number
    }
    if (weight >= limit) return null
    const out = new Set<number>()
    for (const { index, relation } of entry.near) {
      const place = this.places[index] as Place | null
      if (place !== null && this.#hinders(place.start, relation, start)) out.add(index)
    }
    for (const person of entry.held) {
      for (const index of this.#holders(this.#people[person] as Int32Array, start)) out.add(index)
    }
    const stream = this.#cheapestStream(start, out)
    if (stream < 0) return null
    for (const index of this.#holders(this.#streams[stream] as Int32Array, start)) out.add(index)
    if (this.#weigh(out) >= limit) return null
    const crew = this.#cheapestCrew(entry, start, out)
    if (crew === null) return null
    for (const person of crew) {
      for (const index of this.#holders(this.#people[person] as Int32Array, start)) out.add(index)
    }
    return this.#weigh(out) >= limit ? null : { start, stream, crew, out: [...out] }
  }

  #weigh(indexes: Iterable<number>, without?: ReadonlySet<number>): number {
    let weight = 0
    for (const index of indexes) if (!without?.has(index)) weight += this.weights[index] as number
    return weight
  }

  #holders(quarters: Int32Array, start: number): readonly number[] {
    const first = quarters[start] as number
    const last = quarters[start + this.board.frame.span - 1] as number
    if (first === 0) return last === 0 ? [] : [last - 1]
    return last === 0 || last === first ? [first - 1] : [first - 1, last - 1]
  }

  #cheapestStream(start: number, out: ReadonlySet<number>): number {
    let least = Infinity
    let cheapest = -1
    for (const [stream, { taken }] of this.board.streams.entries()) {
      if (taken[start] === 1) continue
      const price = this.#weigh(this.#holders(this.#streams[stream] as Int32Array, start), out)
      if (price >= least) continue
      least = price
      cheapest = stream
    }
    return cheapest
  }

  #cheapestCrew(entry: Entry, start: number, out: ReadonlySet<number>): Int32Array | null {
    const { people, seats } = this.board
    const costs = this.#costs.fill(Infinity)
    for (let person = 0; person < people.length; person += 1) {
      const price = this.#weigh(this.#holders(this.#people[person] as Int32Array, start), out)
      for (const [seat, role] of seats.entries()) {
        const mark = this.mark(entry, person, role, start)
        if (mark < unusable) costs[seat * people.length + person] = price * 4 + mark
      }
    }
    return assign(costs, seats.length, people.length)
  }
}
