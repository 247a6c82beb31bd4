import type { Action, Flow } from '../flow.ts'

/** Who acts, as far as it can be told before anybody has. (match-flows: Flow, actors) */

export interface Token {
  /** As written; `it` by the place in the order of its block. */
  readonly name: string
  /** Of two with the same frame it is known whether they are the same seat; null of all others. */
  readonly frame: string | null
  readonly value: number
}

const inPair = /^([a-z]{1,16}):([12])$/
const seatNumber = /^(?:seat:(\d{1,2})|side([12]))$/

/** What an actor may be written as. */
export const actorPattern =
  '^(seat:([1-9]|1[0-6])|side[12]|higherSeed|lowerSeed|rollWinner|rollLoser|lastMapWinner|lastMapLoser|leader|trailer|it|all|referee|system|[a-z]{1,16}:[12])$'
/** What an `each` may be written as: an order of seeds, of the standing, or of a pair. */
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
  // Of two seats; with more, the last seed is no other than these.
  if (name === 'lowerSeed') return { name, frame: 'seed', value: Number.MAX_SAFE_INTEGER }
  return { name, frame: null, value: 0 }
}

/** The seat of the n-th round of an `each` block. */
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

/** Whether two may be the same seat. */
export function maySame(one: readonly Token[], other: readonly Token[]): boolean {
  return one.some((a) => other.some((b) => a.frame === null || a.frame !== b.frame || a.value === b.value))
}

export function isOfAll(actors: readonly Token[]): boolean {
  return actors.some(({ name }) => name === 'all')
}

/** Whether a seat may have the turn, rather than a referee or nobody. */
export function isOfSeats(actors: readonly Token[]): boolean {
  return actors.some(({ name }) => name !== 'referee' && name !== 'system')
}

/** The pair that an actor is a place of. */
export function pairOf(name: string): string | null {
  const found = inPair.exec(name)?.[1]
  return found === undefined || found === 'seat' ? null : found
}

export const seedOrders: ReadonlySet<string> = new Set(['lowest_seed_first', 'highest_seed_first'])
const orders: ReadonlySet<string> = new Set([...seedOrders, 'last_first'])

/** The pair whose places an `each` block goes by. */
export function pairOfEach(each: string): string | null {
  return orders.has(each) ? null : each
}

/** What is known when a step comes up. */
export interface Known {
  readonly rolled: boolean
  /** Maps that were played. */
  readonly plays: number
  /** Each a set of pairs that may be what has been chosen, as bits in the order of the flow's. */
  readonly chosen: ReadonlySet<number>
  readonly seeds: boolean
}

/** What nobody can do but the seats themselves, or a referee for them. */
const neverDrawn: ReadonlySet<Action> = new Set(['lineup', 'ready'])
const takenByAll: ReadonlySet<Action> = new Set(['protect', 'ban', 'lineup', 'ready', 'break'])

/** Whether one of the actors is known, whatever has been chosen. */
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
      // A map of a play_all by points may have several winners, none of whom is the winner.
      if (rules.play.mode === 'play_all' && rules.decide === 'points') return false
      return plays >= (rules.tie.includes('void') ? 2 : 1)
    }
    // An order that is not known is told of at its block.
    default:
      return name.includes('#')
  }
}

/** 0 of what is no pair of two seats. */
export function bitOf({ pairs, seats }: Flow, pair: string | null): number {
  const index = pair === null || seats !== 2 ? -1 : pairs.indexOf(pair)
  return index === -1 ? 0 : 1 << index
}
