import { entitled, replaysLeft } from './claims.ts'
import { lateProposals } from './late-seats.ts'
import {
  activePenalties,
  type Game,
  type Machine,
  openGame,
  seatNumbers,
  seatOf,
  speakersOf,
  type Turn,
  teamOf,
} from './machine.ts'
import { needsOf, rankingOf } from './needed-wins.ts'
import { atMatchPoint, outcomeOf, pointsOf, scoresOf, sidesOf, verdictOn, winsOf } from './outcomes.ts'
import { lastUndoable } from './referee-rulings.ts'
import { turnsChangedByCorrections } from './replay.ts'
import { isOver, optionsOfAll } from './seat-actions.ts'
import type { ClockState, GameState, Phase, SeatState, SessionStatus, State, TurnState, Viewer } from './state-types.ts'
import { lapsesAt } from './system-rows.ts'
import { pendingSeats } from './turns.ts'
import { turnsAfterCorrection, warningsOf } from './warnings.ts'

/** Computes the state of a session for a viewer. (match-flows: Log and state, rule 2) */

/**
 * Returns the state of a session for a viewer.
 * @param now milliseconds since 1970
 */
export function stateOf(machine: Machine, now: number, viewer: Viewer): State {
  const wins = winsOf(machine)
  const results = { wins, scores: scoresOf(machine), points: pointsOf(machine) }
  const isBestOf = machine.flow.rules.play.mode === 'best_of'
  return {
    session: machine.session,
    position: machine.position,
    stuck: machine.stuck,
    status: statusOf(machine),
    phase: phaseOf(machine),
    seats: seatNumbers(machine).map((seat) => seatState(machine, seat, results)),
    maps: mapsOf(machine),
    games: gamesOf(machine),
    turn: machine.turn === null ? null : turnOf(machine, machine.turn, viewer),
    clock: clockOf(machine, now),
    scoreline: wins,
    needs: needsOf(machine, wins),
    matchPoint: isBestOf ? atMatchPoint(machine) : null,
    claims: machine.claims.map((claim) => ({ ...claim })),
    penalties: machine.penalties.map((penalty) => ({ ...penalty })),
    warnings: viewer.isReferee
      ? [...warningsOf(machine), ...turnsAfterCorrection(machine, turnsChangedByCorrections(machine))].filter(
          ({ isDismissed }) => !isDismissed,
        )
      : [],
    proposals: viewer.isReferee ? lateProposals(machine, now) : [],
    draws: drawsOf(machine),
    picksBans: [...machine.picksBans],
    winner: machine.ending?.winner ?? null,
    ranking: isOver(machine) ? rankingOf(machine) : null,
    lastUndoable: lastUndoable(machine),
  }
}

export function statusOf({ ending, pausedAt }: Machine): SessionStatus {
  if (ending !== null) return ending.by === 'void' ? 'void' : 'over'
  return pausedAt === null ? 'running' : 'paused'
}

export function phaseOf(machine: Machine): Phase {
  const { turn } = machine
  if (machine.ending !== null) return 'over'
  if (!machine.hasBegun) return 'starting'
  if (machine.stuck !== null) return machine.stuck === 'decided' ? 'decided' : 'referee'
  const game = openGame(machine)
  if (game?.hasWindow === true) return 'window'
  if (game !== null || turn === null || turn.action === 'play') return 'playing'
  if (turn.isHeld) return 'referee'
  return turn.action === 'ready' || turn.action === 'break' ? 'waiting' : 'choosing'
}

interface Results {
  readonly wins: readonly number[]
  readonly scores: readonly number[]
  readonly points: readonly number[]
}

function seatState(machine: Machine, number: number, { wins, scores, points }: Results): SeatState {
  const { nonce: _nonce, timeouts, roll, isPresent } = seatOf(machine, number)
  const { team, name } = teamOf(machine, number)
  const { timeouts: rule } = machine.flow.rules
  const lost = activePenalties(machine).some(({ type, seat }) => type === 'lose_timeouts' && seat === number)
  const places = Object.fromEntries(
    [...machine.pairs]
      .map(([pair, seats]) => [pair, seats.indexOf(number) + 1] as const)
      .filter(([, place]) => place > 0),
  )
  return {
    seat: number,
    team,
    name,
    roll,
    places,
    present: isPresent,
    speakers: speakersOf(machine, number),
    wins: wins[number - 1] ?? 0,
    score: scores[number - 1] ?? 0,
    points: points[number - 1] ?? 0,
    replaysLeft: replaysLeft(machine, number),
    timeoutsLeft: lost ? 0 : Math.max(0, rule.count - timeouts),
    lineup: lineupShown(machine, number),
  }
}

/**
 * The line-up on the open map, else the last one that the seat named. A secret line-up is hidden until all seats have
 * named theirs.
 */
function lineupShown(machine: Machine, number: number): readonly string[] | null {
  return openGame(machine)?.chains.at(-1)?.runs.at(-1)?.lineups[number - 1] ?? seatOf(machine, number).lineup
}

function mapsOf(machine: Machine): State['maps'] {
  const winners = new Map(
    machine.games.map((game) => [game.game, game.isFinal ? outcomeOf(machine, game).winner : null]),
  )
  return machine.pool.map(({ guid }) => {
    const { state = 'available', seat = null, game = null } = machine.maps.get(guid) ?? {}
    return { map: guid, state, seat, game, winner: game === null ? null : (winners.get(game) ?? null) }
  })
}

function gamesOf(machine: Machine): readonly GameState[] {
  const games = machine.games.filter(({ isGone }) => !isGone).map((game) => gameState(machine, game))
  const queued = machine.order
    .filter(({ isPlayed }) => !isPlayed)
    .map(
      ({ map, seat }, index): GameState => ({
        game: games.length + index + 1,
        map,
        pickedBy: seat,
        phase: 'up_next',
        chain: 1,
        chains: [],
        totals: machine.seats.map(() => null),
        counted: machine.seats.map(() => null),
        sides: machine.seats.map(() => ({ score: null, accuracy: null })),
        scoreToBeat: null,
        provisional: null,
        winner: null,
        because: null,
      }),
    )
  return isOver(machine) ? games : [...games, ...queued]
}

function gameState(machine: Machine, game: Game): GameState {
  const outcome = outcomeOf(machine, game)
  const chain = game.chains.at(-1)
  return {
    game: game.game,
    map: game.map,
    pickedBy: game.pickedBy,
    chain: chain?.chain ?? 1,
    phase: gamePhase(game),
    chains: game.chains.map(({ runs }) =>
      runs.map((run) => ({
        run: run.run,
        scores: run.scores.map((score) => ({ ...score })),
        totals: verdictOn(machine, game, [run])?.totals ?? machine.seats.map(() => null),
      })),
    ),
    totals: outcome.totals,
    counted: outcome.counted,
    because: game.isFinal ? outcome.because : null,
    sides: sidesOf(machine, outcome),
    scoreToBeat: game.isFinal ? null : (outcome.verdict?.scoreToBeat ?? null),
    provisional: game.isFinal ? null : outcome.winner,
    winner: game.isFinal ? outcome.winner : null,
  }
}

function gamePhase(game: Game): GameState['phase'] {
  if (game.isVoid) return 'void'
  if (game.isFinal) return 'final'
  if (game.hasWindow) return 'window'
  const runs = game.chains.at(-1)?.runs ?? []
  const last = runs.at(-1)
  return runs.length > 1 || (last?.replaying.length ?? 0) > 0 || game.chains.length > 1 ? 'replay' : 'playing'
}

function turnOf(machine: Machine, turn: Turn, viewer: Viewer): TurnState {
  const { step, path, action, actor, done, answers } = turn
  const game = openGame(machine)
  if (game?.hasWindow === true) return windowOf(machine, turn, game)
  const of = actor === 'seats' ? [...turn.seats] : []
  const pending = actor === 'seats' ? pendingSeats(turn) : []
  // A speaker sees the options of their own seats; a referee sees those of all pending seats.
  const own = viewer.isReferee ? [] : pending.filter((seat) => viewer.seats.includes(seat))
  const options = optionsOfAll(machine, turn, own.length > 0 ? own : pending)
  return {
    step: path,
    label: step.label,
    action,
    actor,
    seats: pending,
    options,
    of,
    done: [...done],
    accepted: [],
    secret: step.secret,
    own: [...answers]
      .filter(([seat]) => viewer.seats.includes(seat))
      .map(([seat, row]) => ({ seat, map: row.map, users: row.kind === 'lineup' ? row.data.users : null })),
    game: game?.game ?? null,
    run: game?.chains.at(-1)?.runs.at(-1)?.run ?? null,
  }
}

/**
 * The turn during the claim window: the seats that may still claim or accept, and the seats that have accepted. (D82)
 */
function windowOf(machine: Machine, { step, path, action }: Turn, game: Game): TurnState {
  const accepted = [...game.accepted].toSorted((one, other) => one - other)
  const seats = entitled(machine, game).filter((seat) => !game.accepted.has(seat))
  return {
    step: path,
    label: step.label,
    action,
    actor: 'seats',
    secret: false,
    own: [],
    options: [],
    seats,
    of: [...seats, ...accepted].toSorted((one, other) => one - other),
    done: accepted,
    accepted,
    game: game.game,
    run: game.chains.at(-1)?.runs.at(-1)?.run ?? null,
  }
}

function clockOf(machine: Machine, now: number): ClockState | null {
  const { clock, pausedAt } = machine
  if (clock === null) return null
  const { number, seconds, dueAt, remainingMs } = clock
  return {
    number,
    seconds,
    dueAt,
    pausedAt,
    remainingMs,
    overdue: lapsesAt(machine) !== null && dueAt !== null && now >= dueAt,
  }
}

function drawsOf({ drawnAs, seeds, seats }: Machine): State['draws'] {
  const last = seeds.at(-1)
  return {
    drawnAs,
    commitment: last?.commitment ?? '',
    seed: last?.seed ?? null,
    nonces: seats.map(({ nonce }) => nonce),
    earlier: seeds.slice(0, -1).map((each) => ({ ...each })),
  }
}
