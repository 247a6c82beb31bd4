import { next, pathOf, stepAt } from './cursor.ts'
import { completeFlow, isStep, type Step } from './flow.ts'
import { type Acting, actingOf, aroundOf, isDue, legalMaps, lineupOf } from './legal-maps.ts'
import { type Clock, type Game, type Machine, openGame, seatNumbers, seatOf, type Turn } from './machine.ts'
import type { Run } from './map-winner.ts'
import type { Row } from './rows.ts'

/** Begins and ends turns, and applies the choices that are made in them. */

export function newRun(run: number, lineups: readonly (readonly string[])[], claimedBy: Run['claimedBy']): Run {
  return { run, scores: [], lineups, isClosed: false, replaying: [], claimedBy, better: false }
}

export function newGame(
  game: number,
  began: number,
  map: string | null,
  pickedBy: number | null,
  lineups: readonly (readonly string[])[],
): Game {
  return {
    game,
    began,
    map,
    pickedBy,
    chains: lineups.length === 0 ? [] : [{ chain: 1, runs: [newRun(1, lineups, null)] }],
    isFinal: false,
    finalPosition: null,
    finalAt: null,
    isClosed: false,
    accepted: new Set(),
    isGone: false,
    isVoid: false,
    awarded: null,
    told: null,
    lostBy: new Set(),
    passed: new Set(),
    hasWindow: false,
    isOfStep: false,
  }
}

function newTurn(step: Step, path: string, acting: Acting | null, isImplied: boolean): Turn {
  return {
    step,
    path,
    action: step.action,
    isImplied,
    actor: acting === 'referee' || acting === 'system' ? acting : 'seats',
    seats: acting === null || typeof acting === 'string' ? [] : [...acting],
    done: new Set(),
    answers: new Map(),
    instead: null,
    drawsFor: new Set(),
    isHeld: false,
    isElapsed: false,
    rollers: null,
  }
}

const [playStep, lineupStep] = completeFlow({ steps: [{ action: 'play' }, { action: 'lineup' }] }).steps.filter(isStep)

function implied(step: Step | undefined): Step {
  if (step === undefined) throw new Error('steps that are implied are written above')
  return step
}

/**
 * Finds the next turn if there is none. If nothing has happened in the present turn, its actors are determined again,
 * because scores may have changed.
 */
export function prepareTurn(machine: Machine, { position, at }: Pick<Row, 'position' | 'at'>): void {
  const { turn } = machine
  if (turn !== null) {
    if (isUntouched(turn)) reconsider(machine, turn)
    return
  }
  const open = openGame(machine)
  if (open !== null) {
    // The session ended during this map and goes on: the turn of the map is restored.
    machine.turn = open.isOfStep
      ? newTurn(stepAt(machine.flow, machine.cursor) ?? implied(playStep), pathOf(machine.cursor), 'system', false)
      : newTurn(implied(playStep), lastPlay(machine), 'system', true)
    return
  }
  if (machine.suspended !== null) {
    machine.turn = machine.suspended.turn
    const { clock } = machine.suspended
    if (clock !== null) {
      const leftMs = Math.max(minTimeBackMs, clock.remainingMs ?? 0)
      machine.clock = running(machine, { number: position, seconds: clock.seconds, leftMs, at })
    }
    machine.suspended = null
    return
  }
  // In an `until_decided` block all steps may be passed in the present standing. The limit ends such a loop.
  for (let passed = 0; ; passed += 1) {
    const step = passed < maxPassed ? stepAt(machine.flow, machine.cursor) : null
    if (step === null) {
      if (machine.extraMaps > 0) machine.turn = newTurn(implied(playStep), lastPlay(machine), 'system', true)
      else machine.stuck = 'end'
      return
    }
    if (!isDue(machine, step)) {
      machine.cursor = next(machine.flow, machine.cursor, aroundOf(machine))
      continue
    }
    const path = pathOf(machine.cursor)
    machine.turn = newTurn(step, path, actingOf(machine, step.actor), false)
    // A play has no clock of its own: while a map is open, the only clock is that of the claim window.
    beginClock(machine, step.action === 'play' ? null : step.seconds, position, at)
    return
  }
}

const maxPassed = 1_000

function lastPlay(machine: Machine): string {
  return machine.lastPlay ?? '1'
}

/** Whether nothing has happened in the turn yet: no act, no roll and no lapse. */
export function isUntouched({
  done,
  answers,
  instead,
  drawsFor,
  isHeld,
  isElapsed,
  isImplied,
  rollers,
}: Turn): boolean {
  return (
    done.size === 0 &&
    answers.size === 0 &&
    instead === null &&
    drawsFor.size === 0 &&
    rollers === null &&
    !isHeld &&
    !isElapsed &&
    !isImplied
  )
}

function reconsider(machine: Machine, turn: Turn): void {
  const acting = actingOf(machine, turn.step.actor)
  turn.actor = acting === 'referee' || acting === 'system' ? acting : 'seats'
  turn.seats = acting === null || typeof acting === 'string' ? [] : [...acting]
}

export function beginClock(machine: Machine, seconds: number | null, number: number, at: number): void {
  machine.clock = seconds === null ? null : running(machine, { number, seconds, leftMs: seconds * 1_000, at })
}

interface Beginning {
  readonly number: number
  readonly seconds: number
  readonly leftMs: number
  readonly at: number
}

/** A clock with `leftMs` left. It is stopped while the session is paused. */
export function running({ pausedAt }: Machine, { number, seconds, leftMs, at }: Beginning): Clock {
  const isPaused = pausedAt !== null
  return { number, seconds, dueAt: isPaused ? null : at + leftMs, remainingMs: isPaused ? leftMs : null }
}

/** The least time that a turn gets back after an undo or after a suspension. (match-flows: Clocks, line-ups, scores) */
export const minTimeBackMs = 15_000

/** Begins the next map of the play order once all line-ups are known. */
export function beginPlay(machine: Machine, number: number): void {
  const { turn } = machine
  if (turn === null || turn.action !== 'play' || openGame(machine) !== null) return
  const entry = machine.order.find(({ isPlayed }) => !isPlayed)
  if (entry === undefined) {
    machine.stuck = 'nothing_to_play'
    return
  }
  const lineups = seatNumbers(machine).map((seat) => lineupOf(machine, seat))
  const missing = seatNumbers(machine).filter((seat) => lineups[seat - 1] === null)
  // A map that is lost before it begins needs no line-ups.
  if (missing.length > 0 && machine.losesNext.size === 0) {
    machine.turn = newTurn(implied(lineupStep), turn.path, missing, true)
    return
  }
  const known = lineups.map((lineup) => lineup ?? [])
  for (const [index, lineup] of lineups.entries()) if (lineup !== null) seatOf(machine, index + 1).lineup = lineup
  const game = newGame(number, machine.position, entry.map, entry.seat, known)
  game.isOfStep = !turn.isImplied
  for (const seat of machine.losesNext) game.lostBy.add(seat)
  machine.losesNext.clear()
  addGame(machine, game)
  entry.isPlayed = true
  machine.lastPlay = turn.path
  const map = machine.maps.get(entry.map)
  if (map !== undefined) Object.assign(map, { state: 'playing', game: number })
}

/** Adds a game. Penalties that were given for it before it began are now tied to it. */
export function addGame(machine: Machine, game: Game): void {
  machine.games.push(game)
  for (const penalty of machine.penalties) {
    if (penalty.game === game.game && penalty.began === null) penalty.began = game.began
  }
}

/** Marks a seat as done. The turn ends when all its seats are done, or with a row without a seat. */
export function finishSeat(machine: Machine, seat: number | null): void {
  const { turn } = machine
  if (turn === null) return
  if (seat === null) {
    completeTurn(machine)
    return
  }
  if (turn.seats.length > 0 && !turn.seats.includes(seat)) machine.strangers.push(machine.position)
  turn.done.add(seat)
  turn.drawsFor.delete(seat)
  if (turn.seats.every((acting) => turn.done.has(acting)) || !turn.seats.includes(seat)) completeTurn(machine)
}

/** Ends the turn and moves the cursor to the next step. Secret answers are applied and revealed. */
export function completeTurn(machine: Machine): void {
  const { turn } = machine
  if (turn === null) return
  for (const row of turn.answers.values()) {
    machine.revealed.add(row.position)
    if (row.kind === 'lineup') giveLineup(machine, row)
    else applyChoice(machine, row)
  }
  machine.turn = null
  machine.clock = null
  if (turn.isImplied) {
    // The cursor stays, because the play that waited for line-ups comes next.
    return
  }
  machine.cursor = next(machine.flow, machine.cursor, aroundOf(machine))
}

/** Stores a secret answer until all seats have answered. */
export function answer(machine: Machine, turn: Turn, row: Row): void {
  turn.answers.set(row.seat ?? 0, row)
  finishSeat(machine, row.seat)
}

export function giveLineup(machine: Machine, row: Row): void {
  if (row.kind === 'lineup' && row.seat !== null) seatOf(machine, row.seat).lineup = row.data.users
}

/** Applies the choice of a map. */
export function applyChoice(machine: Machine, { kind, seat, map: guid }: Row): void {
  const map = guid === null ? undefined : machine.maps.get(guid)
  if (guid === null || map === undefined) return
  const list = (as: 'pick' | 'ban' | 'tiebreaker') =>
    machine.picksBans.push({ flowOrder: machine.picksBans.length + 1, mapGuid: guid, seat, kind: as })
  machine.pickFlair = null
  switch (kind) {
    case 'protect':
      // A referee's protection belongs to no seat, so it holds against all seats.
      map.protectedBy.push(seat ?? 0)
      if (map.state === 'available') Object.assign(map, { state: 'protected', seat })
      machine.choices.push({ seat, action: 'protect', map: guid })
      return
    case 'ban':
      // Two seats may ban the same map in secret: it counts once.
      if (map.state === 'banned') return
      Object.assign(map, { state: 'banned', seat })
      machine.choices.push({ seat, action: 'ban', map: guid })
      list('ban')
      return
    case 'pick':
    case 'random':
    case 'tiebreaker': {
      const isTiebreaker = kind === 'tiebreaker'
      Object.assign(map, { state: isTiebreaker ? 'tiebreaker' : 'picked', seat })
      machine.order.push({ map: guid, seat, isPlayed: false })
      if (kind === 'pick') machine.choices.push({ seat, action: 'pick', map: guid })
      list(isTiebreaker ? 'tiebreaker' : 'pick')
    }
  }
}

/** Seats that have the turn and have not acted. */
export function pendingSeats({ seats, done }: Turn): readonly number[] {
  return seats.filter((seat) => !done.has(seat))
}

/** Whether every seat that still has to choose has a legal map. */
export function hasLegalMap(machine: Machine, turn: Turn): boolean {
  const { step, actor } = turn
  const choosers = actor === 'seats' ? pendingSeats(turn) : [null]
  return choosers.every((seat) => legalMaps(machine, step, seat).length > 0)
}
