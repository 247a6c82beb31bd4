import { conflict, invalid, missing } from '../../core/problem.ts'
import { formatInstant } from '../../core/time.ts'
import { type Caller, checkTime, isOver, seatsOf } from './acts.ts'
import { aroundOf, eligible, nextGame } from './choosing.ts'
import { jump } from './cursor.ts'
import type { PenaltyType } from './flow.ts'
import { activePenalties, type Game, type Machine, openGame, seatNumbers, seatOf, teamOf } from './machine.ts'
import { decisiveGame } from './outcomes.ts'
import { replay } from './replay.ts'
import { type Draft, isUndoable, type PoolEntry, type Row, undoneBy } from './rows.ts'
import { turnsAfterCorrection, warningsOf } from './warnings.ts'

/** What referees do to a session. (match-flows: Operations; Replays, technical replays, penalties) */

/** Rows behind which an undo looks for what it takes back. */
const passedOver: ReadonlySet<Row['kind']> = new Set(['finish', 'result_told'])

const choices: ReadonlySet<Row['kind']> = new Set([
  'choose',
  'protect',
  'ban',
  'pick',
  'flair_pick',
  'flair_ban',
  'lineup',
  'ready',
  'accept',
  'claim',
])

/**
 * Takes back the last row of a person, or a lapse, with the system's rows behind it.
 * @throws Problem `flow.match_completed`, `flow.over`, `flow.paused`, `flow.nothing_to_undo`
 */
export function judgeUndo(machine: Machine, caller: Caller, now: number, isOfMatch: boolean): Draft {
  if (isOver(machine)) {
    if (isOfMatch) throw conflict('flow.match_completed', 'The match is completed; correct its result, or reopen it.')
    throw conflict('flow.over', 'The session is over.')
  }
  if (machine.pausedAt !== null && !caller.isReferee) {
    throw conflict('flow.paused', 'The session is paused; a referee resumes it.')
  }
  const undone = undoneBy(machine.rows)
  const standing = machine.rows.filter((row) => isUndoable(row) && !undone.has(row.position))
  const last = standing.findLast((row) => (row.by !== null || row.kind === 'lapse') && !passedOver.has(row.kind))
  if (last === undefined || !mayUndo(machine, last, caller, now)) {
    throw conflict('flow.nothing_to_undo', 'There is nothing that you could take back.')
  }
  const of = standing.filter(({ position }) => position >= last.position).map(({ position }) => position)
  return { kind: 'undo', data: { of } }
}

/** A speaker may take back their own last choice for a moment. */
function mayUndo(machine: Machine, row: Row, caller: Caller, now: number): boolean {
  if (caller.isReferee) return true
  const isOwn = row.by === caller.user && !row.onBehalf && choices.has(row.kind)
  return isOwn && now - row.at <= machine.flow.rules.selfUndoSeconds * 1_000
}

export type ClockOp = 'pause' | 'resume' | 'extend' | 'set'

/**
 * @throws Problem `flow.over`, `flow.time_over`, `flow.wrong_action`, `clock.none`, `flow.act_invalid`
 */
export function judgeClock(machine: Machine, op: ClockOp, seconds: number | undefined, now: number): Draft {
  if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
  checkTime(machine, now)
  const { clock, pausedAt } = machine
  const number = clock?.number ?? null
  const row = (dueAt: number | null, remainingMs: number | null): Draft => ({
    kind: 'clock',
    data: { op, seconds: seconds ?? null, dueAt: written(dueAt), remainingMs, number },
  })
  if (op === 'pause') {
    if (pausedAt !== null) throw conflict('flow.wrong_action', 'The session is paused already.')
    return row(null, clock?.dueAt == null ? null : Math.max(0, clock.dueAt - now))
  }
  if (op === 'resume') {
    if (pausedAt === null) throw conflict('flow.wrong_action', 'The session is not paused.')
    return row(clock?.remainingMs == null ? null : now + clock.remainingMs, null)
  }
  if (seconds === undefined) throw invalid('flow.act_invalid', 'Give `seconds`.')
  if (clock === null) throw conflict('clock.none', 'No clock runs now.')
  const ms = seconds * 1_000
  if (clock.dueAt === null) return row(null, op === 'set' ? ms : (clock.remainingMs ?? 0) + ms)
  return row(op === 'set' ? now + ms : clock.dueAt + ms, null)
}

function written(at: number | null): string | null {
  return at === null ? null : formatInstant(new Date(at))
}

/**
 * A seat calls for more time.
 * @throws Problem `flow.over`, `flow.paused`, `flow.time_over`, `flow.not_your_turn`, `timeout.no_clock`, `timeout.none_left`
 */
export function judgeTimeout(machine: Machine, seat: number | undefined, caller: Caller, now: number): Draft {
  if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
  if (machine.pausedAt !== null) throw conflict('flow.paused', 'The session is paused; a referee resumes it.')
  checkTime(machine, now)
  const own = seatsOf(machine, caller.user)
  const calling = seat ?? own[0]
  if (
    calling === undefined ||
    !seatNumbers(machine).includes(calling) ||
    (!own.includes(calling) && !caller.isReferee)
  ) {
    throw conflict('flow.not_your_turn', 'Give as `seat` one that you speak for.')
  }
  const { clock } = machine
  if (clock === null || clock.dueAt === null || !machine.hasBegun) {
    throw conflict('timeout.no_clock', 'No clock runs now.')
  }
  const { count, seconds } = machine.flow.rules.timeouts
  const isLost = activePenalties(machine).some(
    (penalty) => penalty.type === 'lose_timeouts' && penalty.seat === calling,
  )
  if (isLost || seatOf(machine, calling).timeouts >= count) {
    throw conflict('timeout.none_left', 'The seat has no timeout left.')
  }
  const dueAt = formatInstant(new Date(clock.dueAt + seconds * 1_000))
  return { kind: 'timeout', seat: calling, onBehalf: !own.includes(calling), data: { dueAt, number: clock.number } }
}

export type OverrideInput = { readonly reason: string } & (
  | { readonly op: 'set_map'; readonly map: string }
  | { readonly op: 'award_map'; readonly winner: number; readonly game?: number | undefined }
  | { readonly op: 'void_map' }
  | { readonly op: 'go_to'; readonly step: string }
  | { readonly op: 'skip' }
  | { readonly op: 'add_map'; readonly entry: PoolEntry }
  | { readonly op: 'substitute'; readonly seat: number; readonly out: string; readonly in: string }
  | { readonly op: 'speakers'; readonly seat: number; readonly users: readonly string[] }
  | { readonly op: 'redraw' }
  | { readonly op: 'end_flow' }
  | { readonly op: 'dismiss'; readonly warning: string }
)

/**
 * @param strangers positions that warnings of corrections name
 * @throws Problem `flow.over`, `flow.wrong_action`, `flow.map_illegal`, `flow.step_unknown`, `lineup.invalid`,
 *   `warning.unknown`, `flow.act_invalid`
 */
export function judgeOverride(machine: Machine, input: OverrideInput, strangers: readonly number[]): Draft {
  if (isOver(machine) && input.op !== 'dismiss') throw conflict('flow.over', 'The session is over.')
  const { reason } = input
  switch (input.op) {
    case 'set_map':
      return { kind: 'override', map: settableMap(machine, input.map), data: { op: 'set_map', reason } }
    case 'award_map':
      return { kind: 'override', seat: input.winner, data: awarded(machine, input, reason) }
    case 'void_map':
      return { kind: 'override', data: { op: 'void_map', reason, game: playedGame(machine) } }
    case 'go_to':
      return { kind: 'override', data: { op: 'go_to', reason, step: knownStep(machine, input.step) } }
    case 'skip':
      if (machine.turn === null || openGame(machine) !== null) {
        throw conflict('flow.wrong_action', 'There is no step to skip; a map that is played can be made void.')
      }
      return { kind: 'override', step: machine.turn.path, data: { op: 'skip', reason } }
    case 'add_map':
      return { kind: 'override', map: input.entry.guid, data: { op: 'add_map', reason, entry: input.entry } }
    case 'substitute':
      return { kind: 'override', seat: input.seat, data: { op: 'substitute', reason, ...substitution(machine, input) } }
    case 'speakers':
      return {
        kind: 'override',
        seat: knownSeat(machine, input.seat),
        data: { op: 'speakers', reason, users: input.users },
      }
    case 'redraw':
      return { kind: 'override', data: { op: 'redraw', reason, ...lastDraw(machine) } }
    case 'end_flow':
      if (machine.isByHand) throw conflict('flow.wrong_action', 'The flow was ended already.')
      return { kind: 'override', data: { op: 'end_flow', reason } }
    case 'dismiss': {
      const warnings = [...warningsOf(machine), ...turnsAfterCorrection(machine, strangers)]
      const known = warnings.some(({ guid, isDismissed }) => guid === input.warning && !isDismissed)
      if (!known) throw missing('warning.unknown', 'The session has no such warning.')
      return { kind: 'override', data: { op: 'dismiss', reason, warning: input.warning } }
    }
  }
}

function knownSeat(machine: Machine, seat: number): number {
  if (!seatNumbers(machine).includes(seat)) throw invalid('flow.act_invalid', `The session has no seat ${seat}.`)
  return seat
}

/** A referee may choose any map that was not played and is not to be played anyhow. */
function settableMap(machine: Machine, guid: string): string {
  const state = machine.maps.get(guid)?.state
  if (state === undefined)
    throw conflict('flow.map_illegal', 'The session’s pool has no such map.', { why: 'not_in_pool' })
  // One that is to be played later would be played twice.
  if (state === 'played' || state === 'playing' || state === 'picked' || state === 'tiebreaker') {
    throw conflict('flow.map_illegal', 'This map is in the play order already, or was played.', { why: 'taken' })
  }
  const { turn } = machine
  const isChoice = turn !== null && ['pick', 'random', 'tiebreaker', 'play'].includes(turn.action)
  if (!isChoice && openGame(machine) === null) {
    throw conflict('flow.wrong_action', 'No map is to be chosen or played now.')
  }
  return guid
}

function playedGame(machine: Machine): number {
  const game = openGame(machine)
  if (game === null) throw conflict('flow.wrong_action', 'No map is played now.')
  return game.game
}

function awarded(
  machine: Machine,
  { winner, game }: { readonly winner: number; readonly game?: number | undefined },
  reason: string,
) {
  knownSeat(machine, winner)
  const there = machine.games.some((each) => each.game === game && !each.isGone)
  if (game !== undefined && !there) throw conflict('flow.wrong_action', `Game ${game} has not been played.`)
  return { op: 'award_map' as const, reason, winner, game: game ?? playedGame(machine) }
}

function knownStep(machine: Machine, step: string): string {
  if (openGame(machine) !== null)
    throw conflict('flow.wrong_action', 'A map is played; make it void or award it first.')
  if (!/^\d{1,2}(\.\d{1,2}){0,2}$/.test(step) || jump(machine.flow, step, aroundOf(machine)) === null) {
    throw conflict('flow.step_unknown', 'The flow has no such step; steps are numbered as in `problems`, such as 3.2.')
  }
  return step
}

function substitution(
  machine: Machine,
  input: { readonly seat: number; readonly out: string; readonly in: string },
): { readonly out: string; readonly in: string } {
  const seat = knownSeat(machine, input.seat)
  const [out, replacement] = [input.out.toLowerCase(), input.in.toLowerCase()]
  const playing = openGame(machine)?.chains.at(-1)?.runs.at(-1)?.lineups[seat - 1] ?? seatOf(machine, seat).lineup ?? []
  if (!playing.includes(out) || playing.includes(replacement) || !eligible(machine, seat).includes(replacement)) {
    throw conflict(
      'lineup.invalid',
      `Name as \`out\` who plays for ${teamOf(machine, seat).name}, and as \`in\` another active member.`,
    )
  }
  return { out, in: replacement }
}

/** A draw can be repeated until somebody has acted on it. */
function lastDraw(machine: Machine): { readonly of: readonly number[]; readonly draws: readonly number[] } {
  const undone = undoneBy(machine.rows)
  const standing = machine.rows.filter((row) => isUndoable(row) && !undone.has(row.position))
  const index = standing.findLastIndex((row) => markOf(row) !== null)
  const row = standing[index]
  const behind = standing.slice(index)
  if (row === undefined || behind.some(({ by }) => by !== null)) {
    throw conflict('flow.nothing_to_undo', 'Nothing was drawn since somebody acted last.')
  }
  const first = markOf(row)?.number ?? 0
  const count = row.kind === 'roll' ? row.data.rolls.filter((value) => value !== null).length : 1
  return {
    of: behind.map(({ position }) => position),
    draws: Array.from({ length: count }, (_, offset) => first + offset),
  }
}

function markOf(row: Row) {
  return 'draw' in row.data ? (row.data.draw ?? null) : null
}

export interface PenaltyInput {
  readonly seat: number
  readonly type: PenaltyType
  readonly user?: string | undefined
  readonly game?: number | undefined
  readonly run?: number | undefined
  readonly points?: number | undefined
  readonly reason: string
}

/**
 * @throws Problem `penalty.invalid`
 */
export function judgePenalty(machine: Machine, input: PenaltyInput, guid: string, isFree: boolean): Draft {
  const { type, reason, run = null, points = null } = input
  const seat = knownSeat(machine, input.seat)
  const user = input.user?.toLowerCase() ?? null
  const isOfMap = type === 'score_zero' || type === 'map_loss'
  const game = input.game ?? (isOfMap ? nextGame(machine) : null)
  const fault = penaltyFault(machine, { type, user, game, points, seat }, isFree)
  if (fault !== null) throw invalid('penalty.invalid', fault)
  const penalty = { guid, seat, user, game, run, type, points: type === 'points' ? points : null, reason }
  return { kind: 'penalty', seat, data: { penalty } }
}

function penaltyFault(
  machine: Machine,
  {
    type,
    user,
    game,
    points,
    seat,
  }: {
    readonly type: PenaltyType
    readonly user: string | null
    readonly game: number | null
    readonly points: number | null
    readonly seat: number
  },
  isFree: boolean,
): string | null {
  const players = [...teamOf(machine, seat).members, `seat:${seat}`]
  if (user !== null && !players.includes(user)) return 'The seat has no such player: give as `user` one of its members.'
  if ((type === 'score_zero' || type === 'exclude') && user === null) return 'Give as `user` whom it is for.'
  if (game !== null && game > nextGame(machine)) return `Game ${game} is not there yet.`
  if (type === 'map_loss' && machine.seats.length !== 2) return 'A map can be lost where two seats play.'
  if (type === 'match_forfeit' && machine.seats.length !== 2) return 'A match can be forfeited where two seats play.'
  if (type === 'points' && !isFree) return 'Points are for free sessions.'
  if (type === 'points' && points === null) return 'Give `points`, such as -1.'
  return null
}

/** @throws Problem `penalty.unknown`, `penalty.voided` */
export function judgeVoiding(machine: Machine, guid: string, reason: string): Draft {
  const found = machine.penalties.find((penalty) => penalty.guid === guid)
  if (found === undefined) throw missing('penalty.unknown', 'The session has no such penalty.')
  if (found.voidedAt !== null) throw conflict('penalty.voided', 'The penalty was voided already.')
  return { kind: 'penalty_voided', seat: found.seat, data: { penalty: guid, reason } }
}

/**
 * A row that changes a result that was final, with the rows of the maps behind it that it makes needless.
 * @param row as it would stand in the log
 * @throws Problem `game.not_needed` where there are such maps and they are not to be dropped
 */
export function withLaterDropped(machine: Machine, draft: Draft, row: Row, dropLater: boolean): Draft {
  const trial = replay(machine.session, [...machine.rows, row])
  const decisive = decisiveGame(trial)
  // What the match itself said of its end stays, whatever its maps say.
  if (decisive === null || trial.ending?.by === 'told') return draft
  const isLater = trial.games.some(
    (game) => game.game > decisive.game && !game.isGone && (game.isFinal || isBegun(game)),
  )
  if (!isLater) return draft
  if (!dropLater) {
    throw conflict(
      'game.not_needed',
      'An earlier map decides the match by this; `dropLater` takes the later ones back.',
    )
  }
  const undone = undoneBy(machine.rows)
  const behind = decisive.finalPosition ?? Number.POSITIVE_INFINITY
  const dropped = machine.rows
    .filter((each) => each.position > behind && !undone.has(each.position) && isUndoable(each))
    .filter((each) => (gameOf(each) ?? (isRuling(each) ? 0 : Number.POSITIVE_INFINITY)) > decisive.game)
    .map((each) => each.position)
  return { ...draft, data: { ...draft.data, dropped } } as Draft
}

function isBegun({ chains }: Game): boolean {
  return chains.some(({ runs }) => runs.some(({ scores }) => scores.length > 0))
}

/** That the row names: what was told or ruled later of an earlier map stays. */
function gameOf(row: Row): number | null {
  if (row.kind === 'penalty') return row.data.penalty.game
  return 'game' in row.data && typeof row.data.game === 'number' ? row.data.game : null
}

function isRuling({ kind }: Row): boolean {
  return kind === 'penalty' || kind === 'penalty_voided' || kind === 'score_corrected'
}
