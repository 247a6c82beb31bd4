import type { Cursor } from './cursor.ts'
import type { Action, Flow, Step, TieRule } from './flow.ts'
import type { Outcome } from './outcomes.ts'
import type { ClaimData, PenaltyData, PoolEntry, Row, StartData, ToldGame } from './rows.ts'
import type { Chain } from './winning.ts'

/** A session as its rows make it. Changed in place by `apply`, and by nothing else. */
export interface Machine {
  readonly session: string
  /** The whole log, what was undone included. */
  readonly rows: Row[]
  readonly start: StartData
  readonly flow: Flow
  /** Of the last row. */
  position: number
  /** The maps of the pool, and those that a referee added. */
  readonly pool: PoolEntry[]
  readonly maps: Map<string, MapState>
  /** What is to be played, in order; what was played stays in it. */
  readonly order: PlayOrder[]
  readonly games: Game[]
  cursor: Cursor
  turn: Turn | null
  /** Why nothing goes on until a referee acts. */
  stuck: Stuck | null
  /** Rows `skip` at the end of the log, with nothing between them. */
  skips: number
  clock: Clock | null
  /** When it was paused; null while it runs. */
  pausedAt: number | null
  hasBegun: boolean
  ending: Ending | null
  /** The match was opened again, and nothing has become final since. */
  isReopened: boolean
  /** Position of the row by which that was last; 0 for never. */
  reopenedAt: number
  /** Its maps decide it, and it is played on all the same. */
  playsOn: boolean
  /** Maps are told by hand. */
  isByHand: boolean
  /** Maps that play_all goes on for because it was level. */
  extraMaps: number
  readonly seats: Seat[]
  rollRound: number
  /** From the best to the worst, as far as it is settled. */
  rollOrder: readonly number[]
  /** Of the last roll: from the best to the worst, once it is settled. */
  rolled: readonly number[] | null
  readonly pairs: Map<string, readonly [number, number]>
  pickFlair: string | null
  readonly bannedFlairs: Set<string>
  readonly choices: Choice[]
  readonly claims: Claim[]
  readonly penalties: Penalty[]
  readonly dismissed: Set<string>
  /** Positions of the rows that told of scores, by the GUIDs of these. */
  readonly toldAt: Map<string, number>
  readonly technicals: { readonly seats: readonly number[]; readonly guid: string }[]
  /** By seat and action. */
  readonly lapses: Map<string, number>
  readonly forfeited: Set<string>
  /** Seats that lose the next map. */
  readonly losesNext: Set<number>
  draws: number
  readonly redraws: Map<number, number>
  /** One for each time that the session was begun or reopened. */
  readonly seeds: { readonly commitment: string; seed: string | null }[]
  readonly picksBans: PickBan[]
  /** Positions of secret rows that everybody may see by now. */
  readonly revealed: Set<number>
  /** A turn that waits until a map was played again. */
  suspended: { readonly turn: Turn; readonly clock: Clock | null } | null
  /** Whom the last `finish` in the log names. */
  finishedFor: number | null
  /** Path of the last step that played a map. */
  lastPlay: string | null
  /** Milliseconds that were left when a row was written that was undone since, by its position. */
  readonly leftBefore: Map<number, number>
  /** Of maps that are final, as long as no row changes what they come to. */
  outcomes: WeakMap<Game, Outcome>
  /** Positions of rows of seats that did not have the turn, as the log stands now. */
  readonly strangers: number[]
}

export interface Seat {
  readonly seat: number
  nonce: string | null
  roll: number | null
  /** When the seat's own people wrote something first. */
  firstAt: number | null
  isPresent: boolean
  /** Of the last map, or named for the next. */
  lineup: readonly string[] | null
  /** Named by a referee; null for those of the rules. */
  speakers: readonly string[] | null
  timeouts: number
}

export interface MapState {
  readonly entry: PoolEntry
  state: 'available' | 'banned' | 'protected' | 'picked' | 'tiebreaker' | 'playing' | 'played' | 'void'
  seat: number | null
  game: number | null
  readonly protectedBy: number[]
}

export interface PlayOrder {
  readonly map: string
  readonly seat: number | null
  isPlayed: boolean
}

export interface Game {
  /** Of a map that another one was played for, or set in the place of, the number is that of the other too. */
  readonly game: number
  /** Position of the row by which the map began, which tells it from others of its number. */
  began: number
  map: string | null
  readonly pickedBy: number | null
  readonly chains: Chain[]
  isFinal: boolean
  /** Of the row that made it final. */
  finalPosition: number | null
  finalAt: number | null
  /** The time for claims is over, or everybody has accepted. */
  isClosed: boolean
  readonly accepted: Set<number>
  /** A level map in whose place another one is played. */
  isGone: boolean
  isVoid: boolean
  awarded: number | null
  told: ToldGame | null
  /** Seats that lost it by a lapse. */
  readonly lostBy: Set<number>
  /** Rules for level maps that would leave too few maps. */
  readonly passed: Set<TieRule>
  hasWindow: boolean
  /** The flow stands at its step, and goes on behind that once it is final. */
  isOfStep: boolean
}

export interface Turn {
  readonly step: Step
  readonly path: string
  readonly action: Action
  /** Who must act; the referee and the system have none. */
  seats: number[]
  readonly done: Set<number>
  /** Of a secret step, by seat. */
  readonly answers: Map<number, Row>
  actor: 'seats' | 'referee' | 'system'
  /** Not written in the flow: a line-up that is needed, or one more map. */
  readonly isImplied: boolean
  /** Whose turn it was before it went to the opponent. */
  instead: number | null
  /** Seats in whose place a lapse asks for a draw. */
  readonly drawsFor: Set<number>
  isHeld: boolean
  /** Its time is over, and its row is still to be written. */
  isElapsed: boolean
  /** Who rolled highest, as long as several share it. */
  rollers: readonly number[] | null
}

export type Stuck =
  | 'no_actor'
  | 'no_map'
  | 'nothing_to_play'
  | 'level'
  | 'blocked'
  | 'level_match'
  | 'decided'
  | 'end'
  | 'by_hand'

export interface Clock {
  /** Position of the row that began it. */
  readonly number: number
  seconds: number
  /** Milliseconds since 1970; null while it stands. */
  dueAt: number | null
  remainingMs: number | null
}

export interface Ending {
  readonly winner: number | null
  readonly by: 'play' | 'told' | 'forfeit' | 'finish' | 'void'
  /** `finish` is in the log. */
  isFinished: boolean
}

interface Choice {
  readonly seat: number | null
  readonly action: Action
  readonly map: string
}

export interface Claim extends ClaimData {
  readonly by: string | null
  readonly at: number
  status: 'open' | 'played' | 'cancelled'
  /** Of the game that it is about. */
  readonly began: number | null
  /** Of the time for claims. */
  readonly leftMs: number
}

export interface Penalty extends PenaltyData {
  readonly chain: number | null
  /** Of its row. */
  readonly position: number
  /** Of the game that it is about; null for none, and while that is still to begin. */
  began: number | null
  readonly by: string | null
  readonly at: number
  voidedAt: number | null
}

export interface PickBan {
  readonly flowOrder: number
  readonly mapGuid: string
  readonly seat: number | null
  readonly kind: 'pick' | 'ban' | 'tiebreaker'
}

/** A map of the pool that nothing has happened to. */
export function untouchedMap(entry: PoolEntry): MapState {
  return { entry, state: 'available', seat: null, game: null, protectedBy: [] }
}

export function seatOf(machine: Machine, seat: number): Seat {
  const found = machine.seats[seat - 1]
  if (found === undefined) throw new Error(`a session has no seat ${seat}`)
  return found
}

export function seatNumbers({ seats }: Machine): readonly number[] {
  return seats.map(({ seat }) => seat)
}

/** The game that is played now. */
export function openGame({ games }: Machine): Game | null {
  const last = games.findLast(({ isGone }) => !isGone)
  return last === undefined || last.isFinal ? null : last
}

/**
 * Whether something that names a game was said of the map that is played by that number now: claims and scores are counted
 * by map, and another map may have been played for it, or set in its place. (match-flows: Details, 8)
 */
export function isAbout(
  said: { readonly game: number | null; readonly began: number | null },
  { game, began }: Game,
): boolean {
  return said.began === began && (said.game ?? game) === game
}

/** Whether what a penalty names of a map takes in a run of it. */
export function isOfRun(
  said: { readonly chain: number | null; readonly run: number | null },
  { chain, run }: { readonly chain: number | null; readonly run: number | null },
): boolean {
  return (said.run === null || said.run === run) && (said.chain === null || said.chain === chain)
}

/** Games that the match has, in order. */
export function finalGames({ games }: Machine): readonly Game[] {
  return games.filter(({ isFinal, isGone }) => isFinal && !isGone)
}

export function teamOf({ start }: Machine, seat: number) {
  const team = start.teams[seat - 1]
  if (team === undefined) throw new Error(`nobody sits in seat ${seat}`)
  return team
}

/** Penalties that count. */
export function activePenalties({ penalties }: Machine): readonly Penalty[] {
  return penalties.filter(({ voidedAt }) => voidedAt === null)
}

/** Who may speak for a seat. (match-flows: Flow) */
export function speakersOf(machine: Machine, seat: number): readonly string[] {
  const named = seatOf(machine, seat).speakers
  if (named !== null) return named
  const { captain, members } = teamOf(machine, seat)
  if (machine.flow.rules.speakers === 'members') return members
  return captain === null ? [] : [captain]
}
