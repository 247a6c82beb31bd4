import type { Action, Flow } from '../flow.ts'

/** The actors of steps, as far as they are known without a session. (match-flows: Flow, actors) */

export interface Token {
  /** The actor as written. `it` is replaced by its place in the order of the block. */
  readonly name: string
  /**
   * Two tokens with the same frame are the same seat exactly if their values are equal. null if this cannot be known.
   */
  readonly frame: string | null
  readonly value: number
}

const inPair = /^([a-z]{1,16}):([12])$/
const seatNumber = /^(?:seat:(\d{1,2})|side([12]))$/

/** The pattern for an actor. */
export const actorPattern =
  '^(seat:([1-9]|1[0-6])|side[12]|higherSeed|lowerSeed|rollWinner|rollLoser|lastMapWinner|lastMapLoser|leader|trailer|it|all|referee|system|[a-z]{1,16}:[12])$'
/** The pattern for an `each`: an order by seeds or by the standing, or the name of a pair. */
export const eachPattern = '^(lowest_seed_first|highest_seed_first|last_first|[a-z]{1,16})$'

export function tokensOf(actors: readonly string[], it: Token | null): readonly Token[] {
  return actors.map((name) => (name === 'it' && it !== null ? it : token(name)))
}

function token(name: string): Token {
  const seat = seatNumber.exec(name)
  if (seat !== null) return { name, frame: 'seat', value: Number(seat[1] ?? seat[2]) }
  const pair = inPair.exec(name)
  if (pair !== null) return { name, frame: `pair ${pair[1]}`, value: Number(pair[2]) }
  if (name === 'higherSeed') return { name, frame: 'seed', value: 1 }
  // The last seed, whatever the number of seats. `seedOf` returns the same value for it.
  if (name === 'lowerSeed') return { name, frame: 'seed', value: Number.MAX_SAFE_INTEGER }
  return { name, frame: null, value: 0 }
}

/** The token for the seat in the n-th round of an `each` block. */
export function placeToken(each: string, round: number, seats: number): Token {
  const name = `${each}#${round}`
  if (each === 'last_first') return { name, frame: null, value: round }
  if (each === 'highest_seed_first') return { name, frame: 'seed', value: seedOf(round, seats) }
  if (each === 'lowest_seed_first') return { name, frame: 'seed', value: seedOf(seats + 1 - round, seats) }
  return { name, frame: `pair ${each}`, value: round }
}

function seedOf(rank: number, seats: number): number {
  return rank === seats ? Number.MAX_SAFE_INTEGER : rank
}

/** Whether two lists of actors may name the same seat. */
export function maySame(one: readonly Token[], other: readonly Token[]): boolean {
  return one.some((a) => other.some((b) => a.frame === null || a.frame !== b.frame || a.value === b.value))
}

export function isOfAll(actors: readonly Token[]): boolean {
  return actors.some(({ name }) => name === 'all')
}

/** Whether a seat may have the turn, and not only a referee or the system. */
export function isOfSeats(actors: readonly Token[]): boolean {
  return actors.some(({ name }) => name !== 'referee' && name !== 'system')
}

/** The pair in an actor such as `order:1`; null for any other actor. */
export function pairOf(name: string): string | null {
  const found = inPair.exec(name)?.[1]
  return found === undefined || found === 'seat' ? null : found
}

export const seedOrders: ReadonlySet<string> = new Set(['lowest_seed_first', 'highest_seed_first'])
const orders: ReadonlySet<string> = new Set([...seedOrders, 'last_first'])

/** The pair whose places an `each` block goes through; null for another order. */
export function pairOfEach(each: string): string | null {
  return orders.has(each) ? null : each
}

/** The facts that are known when a step is reached. */
export interface Known {
  readonly rolled: boolean
  /** Number of maps that were played. */
  readonly plays: number
  /** All possible sets of chosen pairs. Each set is a bit mask, in the order of the flow's pairs. */
  readonly chosen: ReadonlySet<number>
  readonly seeds: boolean
}

/** Actions that are never drawn: only the seats, or a referee for them, can take them. */
const neverDrawn: ReadonlySet<Action> = new Set(['lineup', 'ready'])
const takenByAll: ReadonlySet<Action> = new Set(['protect', 'ban', 'lineup', 'ready', 'break'])

/** Whether one of the actors is known, in every possible set of chosen pairs. */
export function isSomebodyKnown(flow: Flow, action: Action, actors: readonly Token[], known: Known): boolean {
  if (actors.some(({ name }) => isKnown(flow, action, name, known))) return true
  if (action === 'roll') return false
  const bits = actors.map(({ name, frame }) => bitOf(flow, pairOf(name) ?? pairOfFrame(frame)))
  return [...known.chosen].every((chosen) => bits.some((bit) => (chosen & bit) !== 0))
}

function pairOfFrame(frame: string | null): string | null {
  return frame?.startsWith('pair ') === true ? frame.slice('pair '.length) : null
}

function isKnown(flow: Flow, action: Action, name: string, { rolled, plays, seeds }: Known): boolean {
  const { seats, rules } = flow
  if (action === 'roll') return name === 'system' || name === 'referee'
  const seat = seatNumber.exec(name)
  if (seat !== null) return Number(seat[1] ?? seat[2]) <= seats
  switch (name) {
    case 'referee':
      return true
    case 'system':
      return !neverDrawn.has(action)
    case 'all':
      return takenByAll.has(action)
    case 'higherSeed':
    case 'lowerSeed':
      return seeds
    case 'rollWinner':
    case 'rollLoser':
      return rolled
    case 'lastMapWinner':
    case 'lastMapLoser': {
      // In a `play_all` by points, several seats may share the best result on a map, and then it has no single winner.
      if (rules.play.mode === 'play_all' && rules.decide === 'points') return false
      return plays >= (rules.tie.includes('void') ? 2 : 1)
    }
    // An unknown order is reported at its `each` block.
    default:
      return name.includes('#')
  }
}

/** The bit of a pair; 0 if it is no pair, or if the flow does not have two seats. */
export function bitOf({ pairs, seats }: Flow, pair: string | null): number {
  const index = pair === null || seats !== 2 ? -1 : pairs.indexOf(pair)
  return index === -1 ? 0 : 1 << index
}
