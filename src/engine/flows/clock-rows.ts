import { type Clock, type Machine, openGame, seatOf } from './machine.ts'
import type { Of, Row } from './rows.ts'
import { finishSeat, minTimeBackMs, running } from './turns.ts'

/** Applies rows to the clock of a session. (match-flows: Clocks, line-ups, scores) */

export function lapse(machine: Machine, { seat, data: { policy }, position, at }: Of<'lapse'>): void {
  const { turn, clock } = machine
  if (!machine.hasBegun) {
    machine.hasBegun = true
    machine.clock = null
    return
  }
  const game = openGame(machine)
  if (turn === null || (turn.action === 'play' && game !== null)) {
    if (game !== null) game.isClosed = true
    machine.clock = null
    return
  }
  const key = `${seat ?? 0}:${turn.action}`
  machine.lapses.set(key, (machine.lapses.get(key) ?? 0) + 1)
  const runAgain = () => {
    const seconds = turn.step.seconds ?? clock?.seconds ?? 0
    machine.clock = running(machine, { number: position, seconds, leftMs: seconds * 1_000, at })
  }
  switch (policy) {
    case 'again':
      runAgain()
      return
    case 'random':
      if (seat !== null) turn.drawsFor.add(seat)
      machine.clock = null
      return
    case 'opponent':
      turn.instead = seat
      turn.seats = turn.seats.map((acting) => (acting === seat ? (acting === 1 ? 2 : 1) : acting))
      runAgain()
      return
    case 'hold':
      turn.isHeld = true
      machine.clock = null
      return
    case 'forfeit':
      machine.forfeited.add(key)
      finishSeat(machine, seat)
      return
    case 'lose_map':
      if (seat !== null) machine.losesNext.add(seat)
      finishSeat(machine, seat)
      return
    case 'skip':
      finishSeat(machine, seat)
      return
    case 'proceed':
      machine.clock = null
      if (turn.action === 'break') turn.isElapsed = true
      else finishSeat(machine, seat)
  }
}

export function setClock(machine: Machine, { at, data }: Of<'clock'>): void {
  const { clock } = machine
  if (data.op === 'pause') machine.pausedAt = at
  if (data.op === 'resume') machine.pausedAt = null
  if (data.resume === 'play_on') machine.playsOn = true
  if (clock === null) return
  if (clock.number === data.number) {
    clock.dueAt = data.dueAt === null ? null : Date.parse(data.dueAt)
    clock.remainingMs = data.remainingMs
    return
  }
  // The row was about the clock of a turn that was undone since. The present clock is stopped or resumed instead.
  if (data.op === 'pause') stop(machine, at)
  if (data.op === 'resume') goOn(machine, at)
}

export function stop({ clock }: Machine, at: number): void {
  if (clock === null || clock.dueAt === null) return
  clock.remainingMs = Math.max(0, clock.dueAt - at)
  clock.dueAt = null
}

export function goOn({ clock }: Machine, at: number): void {
  if (clock === null || clock.remainingMs === null) return
  clock.dueAt = at + clock.remainingMs
  clock.remainingMs = null
}

export function callTimeout(machine: Machine, { seat, data }: Of<'timeout'>): void {
  if (seat !== null) seatOf(machine, seat).timeouts += 1
  if (machine.clock?.number === data.number) machine.clock.dueAt = Date.parse(data.dueAt)
}

/**
 * After an undo, the turn gets back the time that was left when the undone row was written.
 * (match-flows: Clocks, line-ups, scores)
 */
export function giveTimeBack(machine: Machine, { position, at, data: { of } }: Of<'undo'>): void {
  const { clock } = machine
  // Not the time that is left now: the session may have been paused and resumed since.
  const leftMs = machine.leftBefore.get(of[0] ?? 0)
  if (clock === null || leftMs === undefined) return
  machine.clock = running(machine, { number: position, seconds: clock.seconds, leftMs, at })
}

/** When a penalty is voided, the seat that it passed over gets at least the time that was left then. */
export function giveTurnBack(machine: Machine, { position, at, data: { dropped = [] } }: Of<'penalty_voided'>): void {
  const { clock } = machine
  const [first = 0] = dropped
  const leftMs = machine.leftBefore.get(first)
  if (clock === null || leftMs === undefined || machine.rows[first - 1]?.kind !== 'skip') return
  const left = Math.max(leftMs, leftBack(clock, at))
  machine.clock = running(machine, { number: position, seconds: clock.seconds, leftMs: left, at })
}

/**
 * Passes over an undone row. Two things are still recorded: the time that was left on the clock, which is given back,
 * and the commitment of a `reopened` row, so that the draws after it can be checked as well. (match-flows: Draws)
 */
export function passOver(machine: Machine, row: Row): void {
  const { position, at } = row
  machine.position = position
  if (row.kind === 'reopened') machine.seeds.push({ commitment: row.data.commitment, seed: null })
  if (machine.clock !== null) machine.leftBefore.set(position, leftBack(machine.clock, at))
}

export function leftBack({ dueAt, remainingMs }: Clock, at: number): number {
  return Math.max(minTimeBackMs, dueAt === null ? (remainingMs ?? 0) : dueAt - at)
}
