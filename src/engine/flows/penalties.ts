import { conflict, invalid, missing } from '../../core/problem.ts'
import type { PenaltyType } from './flow.ts'
import { nextGame } from './legal-maps.ts'
import { type Game, type Machine, teamOf } from './machine.ts'
import { decisiveGame } from './outcomes.ts'
import { ownPlayer } from './players.ts'
import { knownSeat } from './referee-rulings.ts'
import { replay } from './replay.ts'
import { type Draft, isUndoable, type Row, undoneBy } from './rows.ts'
import { currentChain, gameNumbered } from './runs.ts'
import { skipsGivenBack } from './skips-given-back.ts'

/** Judges penalties, and rows that change a final result. (match-flows: Replays, technical replays, penalties) */

export interface PenaltyInput {
  readonly seat: number
  readonly type: PenaltyType
  readonly user?: string | undefined
  readonly game?: number | undefined
  readonly run?: number | undefined
  /** If left out: the current chain if a run is named, otherwise all chains. */
  readonly chain?: number | undefined
  readonly points?: number | undefined
  readonly reason: string
}

/**
 * Judges a penalty and returns its row.
 * @param isFree whether this is a free session, without a match
 * @throws Problem `penalty.invalid`
 */
export function judgePenalty(machine: Machine, input: PenaltyInput, guid: string, isFree: boolean): Draft {
  const { type, reason, run = null, points = null } = input
  const seat = knownSeat(machine, input.seat)
  const isOfPlayer = type === 'score_zero' || type === 'exclude'
  // A seat that has only a name is its only player, so no user need be named. (D82)
  const user = input.user?.toLowerCase() ?? (isOfPlayer ? ownPlayer(teamOf(machine, seat)) : null)
  const isOfMap = type === 'score_zero' || type === 'map_loss'
  const game = input.game ?? (isOfMap ? nextGame(machine) : null)
  const played = game === null ? undefined : gameNumbered(machine, game)
  const current = currentChain(played)
  const chain = input.chain ?? (run === null ? null : current)
  const fault =
    penaltyFault(machine, { type, user, game, points, seat }, isFree) ??
    ((chain ?? 1) > current ? `Chain ${chain} is not there yet.` : null)
  if (fault !== null) throw invalid('penalty.invalid', fault)
  const penalty = { guid, seat, user, game, run, chain, type, points: type === 'points' ? points : null, reason }
  return { kind: 'penalty', seat, map: played?.map ?? null, data: { penalty } }
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

/**
 * Judges the voiding of a penalty and returns its row.
 * @throws Problem `penalty.unknown`, `penalty.voided`
 */
export function judgeVoiding(machine: Machine, guid: string, reason: string): Draft {
  const found = machine.penalties.find((penalty) => penalty.guid === guid)
  if (found === undefined) throw missing('penalty.unknown', 'The session has no such penalty.')
  if (found.voidedAt !== null) throw conflict('penalty.voided', 'The penalty was voided already.')
  const dropped = skipsGivenBack(machine, found)
  const data = { penalty: guid, reason, ...(dropped.length === 0 ? {} : { dropped }) }
  return { kind: 'penalty_voided', seat: found.seat, data }
}

/**
 * Adds to a row that changes a final result the positions of the rows of later maps that are no longer needed.
 * @param row the draft as it would be in the log
 * @throws Problem `game.not_needed` if there are such maps and `dropLater` is false
 */
export function withLaterDropped(machine: Machine, draft: Draft, row: Row, dropLater: boolean): Draft {
  const decisive = decisiveBefore(machine, row)
  if (decisive === null) return draft
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
  const passed = draft.kind === 'penalty_voided' ? (draft.data.dropped ?? []) : []
  return { ...draft, data: { ...draft.data, dropped: [...passed, ...dropped] } } as Draft
}

/**
 * Checks a row that cannot take later maps back.
 * @throws Problem `game.not_needed`
 */
export function checkNoneLater(machine: Machine, row: Row): void {
  if (decisiveBefore(machine, row) === null) return
  throw conflict('game.not_needed', 'An earlier map decides the match by this; take the later ones back first.')
}

/** The map that decides the match once the row is in the log; null if no later map is final or has scores. */
function decisiveBefore(machine: Machine, row: Row): Game | null {
  const trial = replay(machine.session, [...machine.rows, row], machine.drawnAs)
  const decisive = decisiveGame(trial)
  // A result that the match's own operations entered stays, whatever the maps say.
  if (decisive === null || trial.ending?.by === 'told') return null
  const isLater = trial.games.some(
    (game) => game.game > decisive.game && !game.isGone && (game.isFinal || isBegun(game)),
  )
  return isLater ? decisive : null
}

function isBegun({ chains }: Game): boolean {
  return chains.some(({ runs }) => runs.some(({ scores }) => scores.length > 0))
}

/** The game that the row names; null for none. Later rows about earlier maps stay in the log. */
function gameOf(row: Row): number | null {
  if (row.kind === 'penalty') return row.data.penalty.game
  return 'game' in row.data && typeof row.data.game === 'number' ? row.data.game : null
}

function isRuling({ kind }: Row): boolean {
  return kind === 'penalty' || kind === 'penalty_voided' || kind === 'score_corrected'
}
