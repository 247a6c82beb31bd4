import { conflict, invalid, missing } from '../../core/problem.ts'
import { jump } from './cursor.ts'
import { lateProposals } from './late-seats.ts'
import { aroundOf, eligible } from './legal-maps.ts'
import { type Machine, openGame, seatNumbers, seatOf, teamOf } from './machine.ts'
import { type Draft, isUndoable, type PoolEntry, type Row, undoneBy } from './rows.ts'
import { type Caller, isOver } from './seat-actions.ts'
import { turnsAfterCorrection, warningsOf } from './warnings.ts'

/** Judges undos and the overrides of referees. (match-flows: Operations; Replays, technical replays, penalties) */

/** Kinds of rows that an undo does not begin with: it takes them back together with an earlier row. */
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
 * Judges an undo, which takes back the last row of a person, or a lapse, with the system's rows after it.
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
  const [last, ...more] = rowsToTakeBack(machine)
  const behind = last === undefined ? [] : [last, ...more]
  if (last === undefined || !(caller.isReferee || mayUndo(machine, last, behind, caller, now))) {
    throw conflict('flow.nothing_to_undo', 'There is nothing that you could take back.')
  }
  return { kind: 'undo', data: { of: behind.map(({ position }) => position) } }
}

/**
 * The rows that an undo takes back: the last row of a person or of a lapse, and all rows after it. Empty if there is
 * none.
 */
function rowsToTakeBack(machine: Machine): readonly Row[] {
  const undone = undoneBy(machine.rows)
  const standing = machine.rows.filter((row) => isUndoable(row) && !undone.has(row.position))
  const last = standing.findLastIndex((row) => (row.by !== null || row.kind === 'lapse') && !passedOver.has(row.kind))
  return last === -1 ? [] : standing.slice(last)
}

/** Position of the row that a referee's undo would take back now; null where nothing can be taken back. (D82) */
export function lastUndoable(machine: Machine): number | null {
  return isOver(machine) ? null : (rowsToTakeBack(machine)[0]?.position ?? null)
}

/**
 * A speaker may take back their own last choice for `selfUndoSeconds`. They may not if the choice has revealed
 * something that they could use to choose again: the answers of others in a secret step, or a draw.
 * (match-flows: Flow, secret; Operations, undo)
 */
function mayUndo(machine: Machine, row: Row, behind: readonly Row[], caller: Caller, now: number): boolean {
  const isOwn = row.by === caller.user && !row.onBehalf && choices.has(row.kind)
  const isRevealed = machine.revealed.has(row.position) || behind.some((each) => markOf(each) !== null)
  return isOwn && !isRevealed && now - row.at <= machine.flow.rules.selfUndoSeconds * 1_000
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
 * Judges an override of a referee and returns its row.
 * @param strangers positions of the rows that have a warning `turn_after_correction`
 * @param now in milliseconds since 1970
 * @throws Problem `flow.over`, `flow.wrong_action`, `flow.map_illegal`, `flow.step_unknown`, `lineup.invalid`,
 * `warning.unknown`, `flow.act_invalid`
 */
export function judgeOverride(
  machine: Machine,
  input: OverrideInput,
  strangers: readonly number[],
  now: number,
): Draft {
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
      const known =
        warnings.some(({ guid, isDismissed }) => guid === input.warning && !isDismissed) ||
        lateProposals(machine, now).some(({ guid }) => guid === input.warning)
      if (!known) throw missing('warning.unknown', 'The session has no such warning or proposal.')
      return { kind: 'override', data: { op: 'dismiss', reason, warning: input.warning } }
    }
  }
}

/**
 * Checks that the session has the seat, and returns its number.
 * @throws Problem `flow.act_invalid`
 */
export function knownSeat(machine: Machine, seat: number): number {
  if (!seatNumbers(machine).includes(seat)) throw invalid('flow.act_invalid', `The session has no seat ${seat}.`)
  return seat
}

/** A referee may set any map that was not played and is not in the play order. */
function settableMap(machine: Machine, guid: string): string {
  const state = machine.maps.get(guid)?.state
  if (state === undefined)
    throw conflict('flow.map_illegal', 'The session’s pool has no such map.', { why: 'not_in_pool' })
  // A map that is in the play order already would be played twice.
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

/** The last draw, for a redraw. A draw can be repeated until a person has acted after it. */
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
