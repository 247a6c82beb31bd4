import { isDeepStrictEqual } from 'node:util'
import { finalGames, type Game, type Machine } from '../../../../engine/flows/machine.ts'
import {
  type Draft,
  isCorrecting,
  isUndoable,
  type Resumption,
  type Row,
  type ToldResult,
} from '../../../../engine/flows/rows.ts'
import { isSameDecision, isSameGame } from '../../../../engine/propagation.ts'
import type { MatchRecord, StoredGame } from '../../../brackets/matches/types.ts'
import type { SessionRecord } from '../types.ts'
import { matchOf, storedGame } from './games.ts'
import { isAsTold, standing, toldRow } from './told.ts'

/**
 * What a match's own operations mean for its session: games and results that are told by hand, other teams, an end that
 * nobody played for. The match goes before; the log is made to say the same. (match-flows: Who wins a map, and the match)
 */

/** What changed the match. */
export interface Origin {
  /** GUID of a user; null for the service. */
  readonly by: string | null
  /** The session whose own log changed the match, and says so already. */
  readonly session?: string
  /** The correction of the match that this is; what the log is told by it goes with its undo. */
  readonly correction?: string
  /** The correction of the match that was undone. */
  readonly undoes?: string
  readonly reason?: string | undefined
  /** Where a match is opened again that its maps decide. */
  readonly resume?: Resumption | undefined
}

/**
 * The next row that the session's log needs, so that it agrees with the match; null where it does. Each row is looked at
 * with those before it written.
 */
export function followingRow(
  record: Pick<SessionRecord, 'guid' | 'teamGuids'>,
  machine: Machine,
  match: MatchRecord,
  origin: Origin,
): Draft | null {
  const isTheirs = match.team1Guid === record.teamGuids[0] && match.team2Guid === record.teamGuids[1]
  if (!isTheirs) {
    return machine.ending?.by === 'void' ? null : { kind: 'void', data: { why: 'teams', ...ofCorrection(origin) } }
  }
  // One that is void stays so for two teams that meet again by a result: only an undo brings back what they had played.
  const rows = origin.undoes === undefined ? [] : rowsOfCorrection(machine, origin.undoes)
  if (rows.length > 0) return { kind: 'undo', data: { of: rows } }
  // One that was ended without a result has nothing to say of a match that goes on by hand.
  if (machine.ending?.by === 'void' || machine.ending?.by === 'finish') return null
  if (origin.session === record.guid) return null
  return gameRow(machine, match) ?? endRow(machine, match, origin)
}

function ofCorrection({ correction }: Origin) {
  return correction === undefined ? {} : { correction }
}

/** With what the system wrote because of it; of a session that it made run again, everything that was done since. */
function rowsOfCorrection(machine: Machine, correction: string): readonly number[] {
  const rows = standing(machine)
  const goesOn = rows.findIndex((row) => row.kind === 'reopened' && isOf(row, correction))
  if (goesOn !== -1) {
    return rows
      .filter((row, index) => isOf(row, correction) || (index > goesOn && isUndoable(row) && !isCorrecting(row)))
      .map(({ position }) => position)
  }
  return rows
    .filter((row, index) => {
      if (isOf(row, correction)) return true
      const before = rows[index - 1]
      return row.kind === 'finish' && row.by === null && before !== undefined && isOf(before, correction)
    })
    .map(({ position }) => position)
}

function isOf(row: Row, correction: string): boolean {
  return 'correction' in row.data && row.data.correction === correction
}

/** The first game that the log has otherwise than the match, or has too many. */
function gameRow(machine: Machine, { games }: MatchRecord): Draft | null {
  const own = finalGames(machine)
  const differing = games.find((game) => {
    const known = own.find((each) => each.game === game.number)
    return known === undefined || !isSame(game, machine, known)
  })
  if (differing !== undefined) return toldRow(machine, differing)
  const needless = own.find((each) => each.game > games.length)
  if (needless === undefined) return null
  const of = standing(machine)
    .filter(
      (row) => isUndoable(row) && (row.position >= (needless.finalPosition ?? 0) || hasLost(machine, row, needless)),
    )
    .map(({ position }) => position)
  return of.length === 0 ? null : { kind: 'undo', data: { of } }
}

/** Whether a map is lost by this row as soon as it begins: it would be again, were it not taken back as well. */
function hasLost(machine: Machine, row: Row, { game, lostBy }: Game): boolean {
  if (row.kind === 'penalty') {
    const { type, game: of } = row.data.penalty
    return type === 'map_loss' && of !== null && of >= game
  }
  const before = finalGames(machine).findLast((each) => each.game < game)?.finalPosition ?? 0
  return row.kind === 'lapse' && row.data.policy === 'lose_map' && lostBy.size > 0 && row.position > before
}

function isSame(game: StoredGame, machine: Machine, known: Parameters<typeof storedGame>[1]): boolean {
  return known.told === null ? isSameGame(storedGame(machine, known), game) : isAsTold(machine, game)
}

/** A result that the log does not come to by itself, or an end that was taken back. */
function endRow(machine: Machine, match: MatchRecord, origin: Origin): Draft | null {
  const isOver = match.status === 'completed' || match.status === 'cancelled'
  if (!isOver) {
    if (machine.ending === null) return null
    // What it commits to is filled in where its new seed is made.
    const resume = origin.resume === undefined ? {} : { resume: origin.resume }
    const data = { reason: origin.reason ?? null, commitment: '', ...resume, ...ofCorrection(origin) }
    return { kind: 'reopened', data }
  }
  const side = match.sides.findIndex(({ result }) => result === 'win')
  const winner = side === -1 ? null : side + 1
  const { outcome, decision } = match
  const result = { outcome, winner, scores: decision !== null && 'scores' in decision ? decision.scores : null }
  if (machine.ending?.winner === winner && saysHow(machine, match, result)) return null
  return { kind: 'result_told', data: { result, ...ofCorrection(origin) } }
}

/** Whether the log has the end as the match has it, whose own word stays when the log goes on to be corrected. */
function saysHow(machine: Machine, { games, decision }: MatchRecord, result: ToldResult): boolean {
  if (decision === null || isSameDecision(matchOf(machine, games).decision, decision)) return true
  const told = standing(machine).findLast((row) => row.kind === 'result_told')
  return machine.ending?.by === 'told' && isDeepStrictEqual(told?.data.result, result)
}
