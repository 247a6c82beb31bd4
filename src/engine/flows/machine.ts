import type { Cursor } from './cursor.ts'
import type { Action, Flow, Step, TieRule } from './flow.ts'
import type { Chain } from './map-winner.ts'
import type { Outcome } from './outcomes.ts'
import type { ClaimData, PenaltyData, PoolEntry, ReportedGame, Row, StartData } from './rows.ts'

/** The state of a session, computed from its rows. Only `apply` changes it, in place. */
export interface Machine {
  readonly session: string
  /** The GUID in the text of the draws: that of the session, or of the one that it is a copy of. */
  readonly drawnAs: string
  /** The whole log, with the rows that were undone. */
  readonly rows: Row[]
  readonly start: StartData
  readonly flow: Flow
  /** Position of the last row. */
  position: number
  /** The maps of the pool, and those that a referee added. */
  readonly pool: PoolEntry[]
  readonly maps: Map<string, MapState>
  /** The play order. Maps that were played stay in it. */
  readonly order: PlayOrder[]
  readonly games: Game[]
  cursor: Cursor
  turn: Turn | null
  /** Why the session waits for a referee; null while it does not. */
  stuck: Stuck | null
  /** Number of consecutive `skip` rows at the end of the log. */
  skips: number
  clock: Clock | null
  /** Time of the pause, in milliseconds since 1970; null while the session runs. */
  pausedAt: number | null
  hasBegun: boolean
  ending: Ending | null
  /** The match was reopened, and no result of a map has changed since. */
  isReopened: boolean
  /** Position of the last `reopened` row; 0 if there is none. */
  reopenedAt: number
  /** The session goes on although its maps decide it. */
  playsOn: boolean
  /** The flow was ended, and maps are entered by hand. */
  isByHand: boolean
  /** Number of extra maps that `play_all` has added because the session was level. */
  extraMaps: number
  readonly seats: Seat[]
  rollRound: number
  /** Seats by the rolls so far, the highest first, while some seats roll again. */
  rollOrder: readonly number[]
  /** Seats by the last roll, the highest first; null until that is settled. */
  rolled: readonly number[] | null
  readonly pairs: Map<string, readonly [number, number]>
  pickFlair: string | null
  readonly bannedFlairs: Set<string>
  readonly choices: Choice[]
  readonly claims: Claim[]
  readonly penalties: Penalty[]
  readonly dismissed: Set<string>
  /** Positions of the rows that reported scores, by the GUIDs of the scores. */
  readonly reportedAt: Map<string, number>
  readonly technicals: { readonly seats: readonly number[]; readonly guid: string }[]
  /** Number of lapses, by seat and action. */
  readonly lapses: Map<string, number>
  readonly forfeited: Set<string>
  /** Seats that lose the next map. */
  readonly losesNext: Set<number>
  draws: number
  readonly redraws: Map<number, number>
  /** One entry for the start and one for each reopening. */
  readonly seeds: { readonly commitment: string; seed: string | null }[]
  readonly picksBans: PickBan[]
  /** Positions of the secret rows that are revealed to everybody. */
  readonly revealed: Set<number>
  /** The turn, with its clock, that waits while an earlier map is played again. */
  suspended: { readonly turn: Turn; readonly clock: Clock | null } | null
  /** The winner that the last `finish` row names. */
  finishedFor: number | null
  /** Path of the last step that played a map. */
  lastPlay: string | null
  /** The milliseconds that were left on the clock when an undone row was written, by the position of that row. */
  readonly leftBefore: Map<number, number>
  /** Cached outcomes of final maps. A row that may change them clears the cache. */
  outcomes: WeakMap<Game, Outcome>
  /** Positions of rows that a seat wrote although it did not have the turn in this replay of the log. */
  readonly strangers: number[]
}

export interface Seat {
  readonly seat: number
  nonce: string | null
  roll: number | null
  /** Time of the first row that the seat's own speakers wrote, or of its `present`; null for none. */
  firstAt: number | null
  isPresent: boolean
  /** The line-up of the last map, or the one that was named for the next map. */
  lineup: readonly string[] | null
  /** The speakers that a referee named; null while the rules decide who speaks. */
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
  /** Number of the game. A map that was replaced by another shares its number with that map. */
  readonly game: number
  /** Position of the row with which the map began. It distinguishes maps that share a number. */
  began: number
  map: string | null
  readonly pickedBy: number | null
  readonly chains: Chain[]
  isFinal: boolean
  /** Position of the row that made the game final. */
  finalPosition: number | null
  finalAt: number | null
  /** The claim window is over. */
  isClosed: boolean
  readonly accepted: Set<number>
  /** Another map is played instead of this level one, or the flow was ended during it. */
  isGone: boolean
  isVoid: boolean
  awarded: number | null
  told: ReportedGame | null
  /** Seats that lost the map by a lapse. */
  readonly lostBy: Set<number>
  /** Tie rules that were passed over because they would leave too few maps. */
  readonly passed: Set<TieRule>
  hasWindow: boolean
  /** The cursor points at the `play` step of the game, and moves on once the game is final. */
  isOfStep: boolean
}

export interface Turn {
  readonly step: Step
  readonly path: string
  readonly action: Action
  /** The seats that must act; empty if the referee or the system acts. */
  seats: number[]
  readonly done: Set<number>
  /** The answers in a secret step, by seat. */
  readonly answers: Map<number, Row>
  actor: 'seats' | 'referee' | 'system'
  /** The flow has no step for this turn: it asks for a missing line-up, or plays one more map. */
  readonly isImplied: boolean
  /** The seat whose turn it was before the turn passed to the opponent. */
  instead: number | null
  /** Seats for which the system draws because of a lapse. */
  readonly drawsFor: Set<number>
  isHeld: boolean
  /** The time of the break is over, and its row is not written yet. */
  isElapsed: boolean
  /** The seats that shared the highest roll and roll again; null before the first roll. */
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
  /** Position of the row that started the clock. */
  readonly number: number
  seconds: number
  /** Milliseconds since 1970; null while the clock is stopped. */
  dueAt: number | null
  remainingMs: number | null
}

export interface Ending {
  readonly winner: number | null
  readonly by: 'play' | 'told' | 'forfeit' | 'finish' | 'void'
  /** Whether the `finish` row is in the log. */
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
  /** `began` of the game that the claim is about. */
  readonly began: number | null
  /** Milliseconds that were left in the claim window when the claim was made. */
  readonly leftMs: number
}

export interface Penalty extends PenaltyData {
  readonly chain: number | null
  /** Position of the penalty's row. */
  readonly position: number
  /** `began` of the game that the penalty is about; null if there is none, and until that game begins. */
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

/** The initial state of a map in the pool. */
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

/** The game that is played now; null for none. */
export function openGame({ games }: Machine): Game | null {
  const last = games.findLast(({ isGone }) => !isGone)
  return last === undefined || last.isFinal ? null : last
}

/**
 * Whether a claim or penalty that names a game is about this map. Another map may have been played or set in its place
 * under the same number, so claims and penalties belong to the map and not to the number. (match-flows: Details, 8)
 */
export function isAbout(
  said: { readonly game: number | null; readonly began: number | null },
  { game, began }: Game,
): boolean {
  return said.began === began && (said.game ?? game) === game
}

/** Whether a penalty covers a run: it names this run or none, and this chain or none. */
export function isOfRun(
  said: { readonly chain: number | null; readonly run: number | null },
  { chain, run }: { readonly chain: number | null; readonly run: number | null },
): boolean {
  return (said.run === null || said.run === run) && (said.chain === null || said.chain === chain)
}

/** The final games in order, without those that another map replaced. */
export function finalGames({ games }: Machine): readonly Game[] {
  return games.filter(({ isFinal, isGone }) => isFinal && !isGone)
}

export function teamOf({ start }: Machine, seat: number) {
  const team = start.teams[seat - 1]
  if (team === undefined) throw new Error(`nobody sits in seat ${seat}`)
  return team
}

/** Penalties that were not voided. */
export function activePenalties({ penalties }: Machine): readonly Penalty[] {
  return penalties.filter(({ voidedAt }) => voidedAt === null)
}

/** GUIDs of the users who may speak for a seat. (match-flows: Flow) */
export function speakersOf(machine: Machine, seat: number): readonly string[] {
  const named = seatOf(machine, seat).speakers
  if (named !== null) return named
  const { captain, members } = teamOf(machine, seat)
  if (machine.flow.rules.speakers === 'members') return members
  return captain === null ? [] : [captain]
}
