import { isDeepStrictEqual } from 'node:util'
import { finalGames, type Game, type Machine } from '../../../../engine/flows/machine.ts'
import {
  type Draft,
  isCorrecting,
  isUndoable,
  type ReportedResult,
  type Resumption,
  type Row,
} from '../../../../engine/flows/rows.ts'
import { isSameDecision, isSameGame } from '../../../../engine/propagation.ts'
import type { MatchRecord, StoredGame } from '../../../brackets/matches/types.ts'
import type { SessionRecord } from '../types.ts'
import { matchOf, storedGame } from './games.ts'
import { isAsReported, reportedRow, standing } from './games-by-hand.ts'

/**
 * Translates changes of a match into rows of its session's log: games and results reported by hand, other teams,
 * walkovers and withdrawals. The match changes first; the log follows. (match-flows: Who wins a map, and the match)
 */

/** The cause of a change of a match. */
export interface Origin {
  /** GUID of a user; null for the service. */
  readonly by: string | null
  /** The session whose own log caused the change and has it already. */
  readonly session?: string
  /** The correction that changes the match. The rows that it adds are undone with it. */
  readonly correction?: string
  /** The correction that this change undoes. */
  readonly undoes?: string
  readonly reason?: string | undefined
  /** How a reopened match continues, if its maps still decide it. */
  readonly resume?: Resumption | undefined
}

/**
 * The next row that makes the session's log agree with the match; null if they agree. Call it again after each written
 * row.
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
  // A void session stays void when the same two teams meet again through a result; only an undo restores what they had
  // played.
  const rows = origin.undoes === undefined ? [] : rowsOfCorrection(machine, origin.undoes)
  if (rows.length > 0) return { kind: 'undo', data: { of: rows } }
  // A session that ended without a result gets no rows when its match continues by hand.
  if (machine.ending?.by === 'void' || machine.ending?.by === 'finish') return null
  if (origin.session === record.guid) return null
  return gameRow(machine, match) ?? endRow(machine, match, origin)
}

function ofCorrection({ correction }: Origin) {
  return correction === undefined ? {} : { correction }
}

/**
 * Positions of the correction's rows and of the rows that the system wrote after them. If the correction reopened the
 * session, also the positions of all later rows.
 */
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

/**
 * A row for the first game in which the log and the match differ, or an undo of a game that the match no longer has.
 */
function gameRow(machine: Machine, { games }: MatchRecord): Draft | null {
  const own = finalGames(machine)
  const differing = games.find((game) => {
    const known = own.find((each) => each.game === game.number)
    return known === undefined || !isSame(game, machine, known)
  })
  if (differing !== undefined) return reportedRow(machine, differing)
  const needless = own.find((each) => each.game > games.length)
  if (needless === undefined) return null
  const of = standing(machine)
    .filter(
      (row) => isUndoable(row) && (row.position >= (needless.finalPosition ?? 0) || hasLost(machine, row, needless)),
    )
    .map(({ position }) => position)
  return of.length === 0 ? null : { kind: 'undo', data: { of } }
}

/**
 * Whether this row loses the map as soon as the map begins. It must be undone together with the game; otherwise the map
 * would be lost again.
 */
function hasLost(machine: Machine, row: Row, { game, lostBy }: Game): boolean {
  if (row.kind === 'penalty') {
    const { type, game: of } = row.data.penalty
    return type === 'map_loss' && of !== null && of >= game
  }
  const before = finalGames(machine).findLast((each) => each.game < game)?.finalPosition ?? 0
  return row.kind === 'lapse' && row.data.policy === 'lose_map' && lostBy.size > 0 && row.position > before
}

function isSame(game: StoredGame, machine: Machine, known: Parameters<typeof storedGame>[1]): boolean {
  return known.told === null ? isSameGame(storedGame(machine, known), game) : isAsReported(machine, game)
}

/** A row for a result that the log does not reach by itself, or for the reopening of a match. */
function endRow(machine: Machine, match: MatchRecord, origin: Origin): Draft | null {
  const isOver = match.status === 'completed' || match.status === 'cancelled'
  if (!isOver) {
    if (machine.ending === null) return null
    // The caller fills in the commitment when it makes the new seed.
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

/**
 * Whether the log has the same end as the match. A result that was reported by hand stays valid while later corrections
 * change the log.
 */
function saysHow(machine: Machine, { games, decision }: MatchRecord, result: ReportedResult): boolean {
  if (decision === null || isSameDecision(matchOf(machine, games).decision, decision)) return true
  const told = standing(machine).findLast((row) => row.kind === 'result_told')
  return machine.ending?.by === 'told' && isDeepStrictEqual(told?.data.result, result)
}
