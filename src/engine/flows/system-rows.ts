import { formatInstant } from '../../core/time.ts'
import { maxSkips, undecidedPairs } from './after-a-row.ts'
import { draw, roll } from './draws.ts'
import type { Action, LapsePolicy, Step } from './flow.ts'
import { legalFlairs, legalMaps, mapsLeft, tiebreakers } from './legal-maps.ts'
import { activePenalties, type Machine, openGame, seatNumbers, type Turn } from './machine.ts'
import type { Draft, DrawMark } from './rows.ts'
import { pendingSeats } from './turns.ts'

/** The rows that the system itself writes: draws, skips and the end. (match-flows: Log and state, rule 3) */

/** The next row that the system must write; null while it waits for a person or for a clock. */
export function dueRow(machine: Machine, seed: Uint8Array): Draft | null {
  const { ending, turn } = machine
  if (ending !== null) return ofEnding(machine, seed)
  if (!machine.hasBegun || turn === null || machine.isByHand || machine.skips >= maxSkips) return null
  return ofTurn(machine, turn, seed)
}

function ofEnding({ ending, finishedFor, seeds }: Machine, seed: Uint8Array): Draft | null {
  if (ending === null || ending.by === 'void') return null
  if (!ending.isFinished || finishedFor !== ending.winner) return { kind: 'finish', data: { winner: ending.winner } }
  if (seeds.at(-1)?.seed !== null) return null
  return { kind: 'reveal', data: { seed: Buffer.from(seed).toString('hex') } }
}

function ofTurn(machine: Machine, turn: Turn, seed: Uint8Array): Draft | null {
  const { action, path, step } = turn
  if (action === 'play') return needsMap(machine) ? drawn(machine, mapsLeft(machine, false), seed, path) : null
  if (action === 'break') return turn.isElapsed ? { kind: 'break', step: path, data: {} } : null
  if (action === 'roll') return turn.actor === 'referee' ? null : rolled(machine, turn, seed)
  if (action === 'random') return drawn(machine, legalMaps(machine, step, null), seed, path)
  if (action === 'tiebreaker') return tiebreaker(machine, turn, seed)
  const skipped = passed(machine, turn)
  if (skipped !== null) return skipped
  const [waiting] = turn.drawsFor
  if (waiting !== undefined) return inPlaceOf(machine, turn, waiting, seed)
  // The system makes the choices of its own turns.
  return turn.actor === 'system' ? inPlaceOf(machine, turn, null, seed) : null
}

/**
 * Whether a map must be drawn: one is needed to replace a level map or as an extra map, and the play order is empty.
 */
function needsMap(machine: Machine): boolean {
  if (openGame(machine) !== null || machine.order.some(({ isPlayed }) => !isPlayed)) return false
  return machine.games.at(-1)?.isGone === true || machine.turn?.isImplied === true
}

interface Drawing {
  readonly index: number
  readonly mark: DrawMark
}

function drawAmong(machine: Machine, outcomes: number, seed: Uint8Array): Drawing {
  const number = machine.draws + 1
  const mark = { number, redraw: machine.redraws.get(number) ?? 0, outcomes }
  return { index: draw(sourceOf(machine, seed), mark), mark }
}

function sourceOf({ drawnAs, seats }: Machine, seed: Uint8Array) {
  return { seed, session: drawnAs, nonces: seats.map(({ nonce }) => nonce) }
}

function rolled(machine: Machine, turn: Turn, seed: Uint8Array): Draft {
  const rolling = turn.rollers ?? seatNumbers(machine)
  const first = machine.draws + 1
  const source = sourceOf(machine, seed)
  const rolls = seatNumbers(machine).map((seat) => {
    const index = rolling.indexOf(seat)
    if (index === -1) return null
    return roll(source, first + index, machine.redraws.get(first + index) ?? 0)
  })
  const mark: DrawMark = { number: first, redraw: machine.redraws.get(first) ?? 0, outcomes: 100 }
  return {
    kind: 'roll',
    step: turn.path,
    data: { rolls, round: turn.rollers === null ? 1 : machine.rollRound + 1, draw: mark },
  }
}

function drawn(machine: Machine, maps: readonly string[], seed: Uint8Array, step: string): Draft | null {
  if (maps.length === 0) return null
  const { index, mark } = drawAmong(machine, maps.length, seed)
  return { kind: 'random', step, map: maps[index] ?? null, data: { draw: mark } }
}

/**
 * The row of a tiebreaker step: the flagged map, or the last map that is left. If several are left, one of them is
 * drawn.
 */
function tiebreaker(machine: Machine, turn: Turn, seed: Uint8Array): Draft | null {
  const maps = tiebreakers(machine, turn.step)
  const [only] = maps
  if (only === undefined) return null
  if (maps.length === 1) return { kind: 'tiebreaker', step: turn.path, map: only, data: {} }
  const { index, mark } = drawAmong(machine, maps.length, seed)
  return { kind: 'tiebreaker', step: turn.path, map: maps[index] ?? null, data: { draw: mark } }
}

/** The `skip` row for a choice that cannot or may not be made; null if there is none. (match-flows: Flow, Actors) */
function passed(machine: Machine, turn: Turn): Draft | null {
  const { action, path, step } = turn
  const isOptional = action === 'ban' || action === 'protect'
  if (isOptional && turn.actor === 'seats' && turn.seats.length === 0) {
    return { kind: 'skip', step: path, data: { why: 'no_actor' } }
  }
  for (const seat of turn.actor === 'seats' ? pendingSeats(turn) : []) {
    const why = whyPassed(machine, turn, seat)
    if (why !== null) return { kind: 'skip', step: path, seat, data: { why } }
  }
  const isNobodys = turn.actor !== 'seats'
  return isOptional && isNobodys && legalMaps(machine, step, null).length === 0
    ? { kind: 'skip', step: path, data: { why: 'no_map' } }
    : null
}

function whyPassed(machine: Machine, { action, step }: Turn, seat: number): string | null {
  if (machine.forfeited.has(`${seat}:${action}`)) return 'forfeit'
  const lost = action === 'ban' ? 'lose_bans' : action === 'protect' ? 'lose_protects' : null
  if (lost === null) return null
  if (activePenalties(machine).some(({ type, seat: penalised }) => type === lost && penalised === seat))
    return 'penalty'
  return legalMaps(machine, step, seat).length === 0 ? 'no_map' : null
}

/** A random legal choice for a seat whose time has lapsed, or for the system; null if there is no legal choice. */
function inPlaceOf(machine: Machine, turn: Turn, seat: number | null, seed: Uint8Array): Draft | null {
  const { action, path, step } = turn
  const common = { step: path, seat }
  if (action === 'choose') return placeDrawn(machine, step, common, seed)
  if (action === 'flair_pick' || action === 'flair_ban') {
    const flairs = legalFlairs(machine, step)
    if (flairs.length === 0) return null
    const { index, mark } = drawAmong(machine, flairs.length, seed)
    return { kind: action, ...common, data: { flair: flairs[index] ?? '', draw: mark } }
  }
  if (action !== 'ban' && action !== 'protect' && action !== 'pick') return null
  const maps = legalMaps(machine, step, seat)
  if (maps.length === 0) return null
  const { index, mark } = drawAmong(machine, maps.length, seed)
  const data = { draw: mark, ...(step.secret ? { secret: true as const } : {}) }
  return { kind: action, ...common, map: maps[index] ?? null, data }
}

function placeDrawn(
  machine: Machine,
  step: Step,
  common: { readonly step: string; readonly seat: number | null },
  seed: Uint8Array,
): Draft | null {
  const [pair] = undecidedPairs(machine, step.pair)
  if (pair === undefined) return null
  const { index, mark } = drawAmong(machine, 2, seed)
  return { kind: 'choose', ...common, data: { pair, place: index === 0 ? 1 : 2, draw: mark } }
}

/** When the running clock lapses, grace period included, in milliseconds since 1970; null while no clock runs. */
export function lapsesAt({ clock, pausedAt, flow, hasBegun }: Machine): number | null {
  if (clock === null || clock.dueAt === null || pausedAt !== null) return null
  // The start time of the session has no grace period.
  return hasBegun ? clock.dueAt + flow.rules.graceSeconds * 1_000 : clock.dueAt
}

/** The `lapse` rows that are due: one for each seat whose time is over. */
export function lapseRows(machine: Machine, now: number): readonly Draft[] {
  const at = lapsesAt(machine)
  const { clock, turn } = machine
  if (at === null || at > now || clock?.dueAt == null) return []
  const dueAt = formatInstant(new Date(clock.dueAt))
  const row = (policy: LapsePolicy, result: string, seat: number | null, step: string | null): Draft => ({
    kind: 'lapse',
    seat,
    step,
    data: { dueAt, policy, result },
  })
  if (!machine.hasBegun) return [row('proceed', 'started', null, null)]
  if (turn === null || turn.action === 'play') return [row('proceed', 'final', null, turn?.path ?? null)]
  const pending = turn.actor === 'seats' ? pendingSeats(turn) : []
  // A break ends for all seats together. If no seat must act, no seat loses anything.
  if (turn.action === 'break' || pending.length === 0) {
    const policy = turn.action === 'break' ? 'proceed' : 'hold'
    return [row(policy, resultOf(policy), null, turn.path)]
  }
  return pending.map((seat) => {
    const policy = policyFor(machine, turn, seat)
    return row(policy, resultOf(policy), seat, turn.path)
  })
}

/**
 * The lapse policy for a seat: its n-th lapse of this action has the n-th policy. An opponent who acts instead has only
 * one chance.
 */
function policyFor(
  { lapses, seats }: Machine,
  { step, action, instead, seats: acting }: Turn,
  seat: number,
): LapsePolicy {
  const before = lapses.get(`${seat}:${action}`) ?? 0
  const written = step.onTimeout[Math.min(before, step.onTimeout.length - 1)] ?? 'hold'
  // A turn can go to an opponent only if a single seat acts in it and the session has two seats.
  const isAlone = acting.length === 1 && seats.length === 2
  const policy = instead !== null || (written === 'opponent' && !isAlone) ? 'random' : written
  return policy === 'random' && !isDrawn(action) ? 'hold' : policy
}

/** Whether the action can be drawn. A line-up and readiness cannot. */
function isDrawn(action: Action): boolean {
  return action !== 'lineup' && action !== 'ready'
}

const results: Readonly<Record<LapsePolicy, string>> = {
  again: 'warned',
  skip: 'skipped',
  random: 'drawn',
  opponent: 'passed_on',
  forfeit: 'forfeited',
  lose_map: 'map_lost',
  proceed: 'went_on',
  hold: 'held',
}

function resultOf(policy: LapsePolicy): string {
  return results[policy]
}
