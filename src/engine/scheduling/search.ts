import { askedBy, type Board, type Entry, startOf } from './entries.ts'
import { type Offer, type Place, type Price, Timetable } from './timetable.ts'

/**
 * Searches places for as many matches as possible, then improves them.
 *
 * First each match takes the best free place; matches with the fewest choices go first. Then matches without a place
 * drive out others, which search new places in turn; a match that was hard to place becomes hard to drive out. The
 * state with the most placed matches is kept. Then matches move to better places: one by one, then by swapping times,
 * then by pushing others aside, until nothing improves. The search is limited by steps, not by time, so the same
 * problem has the same result on any machine.
 */
export function search(board: Board): Timetable {
  const table = new Timetable(board)
  fill(table)
  driveOut(table)
  for (let round = 0; round < rounds; round += 1) {
    const changes = [polish(table), putInOrder(table), fill(table)]
    if (!changes.includes(true) && !pushAside(table)) break
  }
  return table
}

const rounds = 30

/** The maximum number of attempts to drive out other matches. */
const drives = ({ order }: Board) => 500 + 20 * order.length

const feeders = ({ near }: Entry) => near.filter(({ relation }) => relation === 'before').map(({ index }) => index)

/** Places matches that fit without moving others; returns whether any was placed. */
function fill(table: Timetable): boolean {
  let filled = false
  for (const index of table.board.order) {
    const entry = table.board.entries[index] as Entry
    if (table.places[index] !== null || feeders(entry).some((feeder) => table.places[feeder] === null)) continue
    if (placeBest(table, index)) filled = true
  }
  return filled
}

function driveOut(table: Timetable): void {
  const { order } = table.board
  let fullest = standing(table)
  const queue = order.filter((index) => table.places[index] === null)
  const turns = sequence()
  for (let left = drives(table.board); fullest.size < order.length && left > 0; left -= 1) {
    const index = queue.splice(turns() % Math.max(1, queue.length), 1)[0]
    if (index === undefined) break
    const forced = table.force(index, turns())
    if (forced === null) continue
    if (forced.out.length > 0) table.weights[index] = (table.weights[index] as number) + 1
    for (const other of forced.out) table.remove(other)
    table.put(index, forced)
    queue.push(...forced.out)
    const now = standing(table)
    if (now.size > fullest.size) fullest = now
  }
  for (const index of order) table.remove(index)
  for (const [index, place] of fullest) table.put(index, place)
}

/** A fixed sequence of pseudo-random numbers. They choose where a search starts, so that it does not cycle. */
function sequence(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}

/** The valid places: those of matches whose feeders have places too. */
function standing(table: Timetable): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>()
  for (const index of table.board.order) {
    const place = table.places[index]
    if (place && feeders(table.board.entries[index] as Entry).every((feeder) => places.has(feeder))) {
      places.set(index, place)
    }
  }
  return places
}

/** Moves each match to the best free place; returns whether any moved. */
function polish(table: Timetable): boolean {
  let moved = false
  for (const { index } of table.board.entries) {
    const place = table.remove(index)
    if (place === null) continue
    const offer = table.best(index, place) ?? place
    table.put(index, offer)
    if (offer.start !== place.start || offer.crew.some((person, seat) => person !== place.crew[seat])) moved = true
  }
  return moved
}

/**
 * Moves matches with unwelcome times to better times even where other matches are in the way. These search new places;
 * the move is kept only if the total reluctance falls. Returns whether any match moved.
 */
function pushAside(table: Timetable): boolean {
  let pushed = false
  for (const entry of table.board.entries) {
    const place = table.places[entry.index] ?? null
    const own = place && entry.choices.find((choice) => startOf(choice) === place.start)
    if (place === null || own === null || own === undefined || table.isWelcome(entry, place)) continue
    const better = entry.choices.filter((choice) => choice !== own && askedBy(choice) <= askedBy(own))
    if (better.slice(0, pushes).some((choice) => push(table, entry, startOf(choice)))) pushed = true
  }
  return pushed
}

/** The maximum number of times tried for a match whose own time is unwelcome. */
const pushes = 8

function push(table: Timetable, entry: Entry, start: number): boolean {
  const out = table.forceAt(entry, start)?.out ?? []
  const before = table.price()
  const touched = table.board.order.filter((index) => index === entry.index || out.includes(index))
  const places = touched.map((index) => table.remove(index) as Place)
  const offer = table.offerAt(entry.index, start)
  if (offer !== null) table.put(entry.index, offer)
  const found = offer !== null && touched.every((index) => table.places[index] !== null || placeBest(table, index))
  if (found && isLess(table.price(), before)) return true
  for (const index of touched) table.remove(index)
  for (const [at, index] of touched.entries()) table.put(index, places[at] as Place)
  return false
}

function placeBest(table: Timetable, index: number): boolean {
  const offer = table.best(index)
  if (offer !== null) table.put(index, offer)
  return offer !== null
}

const isLess = (a: Price, b: Price) => a.teams < b.teams || (a.teams === b.teams && a.officials < b.officials)

/** Swaps the times of two matches where the later number comes first and no team is worse off. */
function putInOrder(table: Timetable): boolean {
  const { entries } = table.board
  let swapped = false
  for (const [later, second] of entries.entries()) {
    for (const [earlier, first] of entries.slice(0, later).entries()) {
      const [from, to] = [table.places[earlier]?.start, table.places[later]?.start]
      if (from === undefined || to === undefined || from <= to) continue
      if (suitsAsWell(first, from, to) && suitsAsWell(second, to, from) && swap(table, earlier, later)) swapped = true
    }
  }
  return swapped
}

const suitsAsWell = ({ marks }: Entry, from: number, to: number) =>
  marks.every((of) => (of[to] as number) <= (of[from] as number))

function swap(table: Timetable, first: number, second: number): boolean {
  const before = [table.places[first] as Place, table.places[second] as Place] as const
  table.remove(first)
  table.remove(second)
  const stay = offerBoth(table, first, before[0].start, second, before[1].start)
  const change = stay && offerBoth(table, first, before[1].start, second, before[0].start)
  const swaps = stay !== null && change !== null && !costsMore(change, stay)
  table.put(first, swaps ? change[0] : before[0])
  table.put(second, swaps ? change[1] : before[1])
  return swaps
}

/** Offers for two matches that fit together; the timetable does not change. */
function offerBoth(
  table: Timetable,
  first: number,
  firstStart: number,
  second: number,
  secondStart: number,
): readonly [Offer, Offer] | null {
  const one = table.offerAt(first, firstStart)
  if (one === null) return null
  table.put(first, one)
  const other = table.offerAt(second, secondStart)
  table.remove(first)
  return other && [one, other]
}

type Pair = readonly [Offer, Offer]

function costsMore(a: Pair, b: Pair): boolean {
  for (const price of [late, teams, officials]) {
    if (price(a) !== price(b)) return price(a) > price(b)
  }
  return false
}

const late = ([one, other]: Pair) => Number(one.late) + Number(other.late)
const teams = ([one, other]: Pair) => one.teams + other.teams
const officials = ([one, other]: Pair) => one.officials + other.officials
