import { settle } from './after-a-row.ts'
import { callTimeout, giveTimeBack, giveTurnBack, lapse, setClock, stop } from './clock-rows.ts'
import { start as startCursor } from './cursor.ts'
import { aroundOf } from './legal-maps.ts'
import { finalGames, type Machine, openGame, seatOf } from './machine.ts'
import { outcomeOf } from './outcomes.ts'
import { override } from './referee-overrides.ts'
import type { DrawMark, Of, Row } from './rows.ts'
import { cancelClaim, claim, correctScore, gameNumbered, penalise, playAgain, reportMap, takeScores } from './runs.ts'
import { answer, applyChoice, completeTurn, finishSeat, giveLineup } from './turns.ts'

/** Applies a row to a session. Nothing is judged here: every row in the log is taken as valid. */
export function apply(machine: Machine, row: Row): void {
  machine.position = row.position
  machine.skips = row.kind === 'skip' ? machine.skips + 1 : 0
  remember(machine, row)
  const before = machine.isReopened ? resultsOf(machine) : null
  forgetOutcomes(machine, row)
  applyKind(machine, row)
  forgetOutcomes(machine, row)
  // The match was reopened to change a result. Once a result has changed, the reopening is settled.
  if (before !== null && before !== resultsOf(machine)) machine.isReopened = false
  settle(machine, row)
}

/**
 * The kinds of rows that may change the outcomes of final maps. A `scores` row changes only the outcome of its own map.
 */
const changing: ReadonlySet<Row['kind']> = new Set([
  'score_corrected',
  'penalty',
  'penalty_voided',
  'technical',
  'override',
  'map_told',
])

function forgetOutcomes(machine: Machine, row: Row): void {
  if (changing.has(row.kind)) machine.outcomes = new WeakMap()
  if (row.kind !== 'scores') return
  const game = gameNumbered(machine, row.data.game)
  if (game !== undefined) machine.outcomes.delete(game)
}

/** The results of the final maps as one string, for a comparison. */
function resultsOf(machine: Machine): string {
  return JSON.stringify(
    finalGames(machine).map((game) => {
      const { winner, totals } = outcomeOf(machine, game)
      return [game.game, winner, totals]
    }),
  )
}

function remember(machine: Machine, row: Row): void {
  if (row.seat === null || row.by === null) return
  if (row.onBehalf && row.kind !== 'present') return
  const seat = seatOf(machine, row.seat)
  seat.firstAt ??= row.at
}

const effects: { readonly [K in Row['kind']]: (machine: Machine, row: Of<K>) => void } = {
  start: begin,
  present: (machine, { seat }) => {
    if (seat !== null) seatOf(machine, seat).isPresent = true
  },
  nonce: (machine, { seat, data }) => {
    if (seat !== null) seatOf(machine, seat).nonce = data.nonce
  },
  roll: rollDice,
  choose: takePlace,
  protect: choose,
  ban: choose,
  pick: choose,
  random: choose,
  tiebreaker: choose,
  lineup: choose,
  flair_pick: (machine, { seat, data }) => {
    takeDraw(machine, data)
    machine.pickFlair = data.flair
    finishSeat(machine, seat)
  },
  flair_ban: (machine, { seat, data }) => {
    takeDraw(machine, data)
    machine.bannedFlairs.add(data.flair)
    finishSeat(machine, seat)
  },
  ready: (machine, { seat }) => finishSeat(machine, seat),
  skip: (machine, { seat }) => finishSeat(machine, seat),
  break: (machine, { seat }) => finishSeat(machine, seat),
  lapse,
  clock: setClock,
  timeout: callTimeout,
  undo: giveTimeBack,
  accept: (machine, { seat }) => {
    if (seat !== null) openGame(machine)?.accepted.add(seat)
  },
  scores: takeScores,
  score_corrected: correctScore,
  claim,
  claim_cancelled: cancelClaim,
  technical: playAgain,
  penalty: penalise,
  penalty_voided: (machine, row) => {
    const penalty = machine.penalties.find(({ guid }) => guid === row.data.penalty)
    if (penalty !== undefined) penalty.voidedAt = row.at
    giveTurnBack(machine, row)
  },
  override,
  map_told: reportMap,
  result_told: (machine, { data }) => {
    machine.ending = { winner: data.result.winner, by: 'told', isFinished: false }
  },
  reopened: (machine, { at, position, data }) => {
    machine.ending = null
    Object.assign(machine, { isReopened: true, reopenedAt: position, playsOn: data.resume === 'play_on' })
    machine.pausedAt = at
    // A correction may have begun a turn already; its clock is stopped.
    stop(machine, at)
    machine.seeds.push({ commitment: data.commitment, seed: null })
  },
  void: (machine) => {
    machine.ending = { winner: null, by: 'void', isFinished: true }
  },
  finish,
  reveal: (machine, { data }) => {
    const last = machine.seeds.at(-1)
    if (last !== undefined) last.seed = data.seed
  },
}

function applyKind<K extends Row['kind']>(machine: Machine, row: Of<K>): void {
  // The table maps each kind to the function for its rows. The compiler cannot follow this through the index.
  const effect = effects[row.kind] as (machine: Machine, row: Of<K>) => void
  effect(machine, row)
}

/** Counts a draw, so that each draw has its own number. */
function takeDraw(machine: Machine, { draw }: { readonly draw?: DrawMark }): void {
  if (draw !== undefined) machine.draws += 1
}

function begin(machine: Machine, { data, position }: Of<'start'>): void {
  machine.seeds.push({ commitment: data.commitment, seed: null })
  machine.cursor = startCursor(machine.flow, aroundOf(machine))
  if (data.startsAt === null) {
    machine.hasBegun = true
    return
  }
  const dueAt = Date.parse(data.startsAt)
  machine.clock = { number: position, seconds: 0, dueAt, remainingMs: null }
}

function rollDice(machine: Machine, { data: { rolls, round, draw } }: Of<'roll'>): void {
  if (draw !== undefined) machine.draws += rolls.filter((value) => value !== null).length
  for (const [index, value] of rolls.entries()) {
    if (value !== null) seatOf(machine, index + 1).roll = value
  }
  if (round === 1) machine.rolled = null
  machine.rollRound = round
  const top = Math.max(...rolls.map((value) => value ?? 0))
  const best = rolls.flatMap((value, index) => (value === top ? [index + 1] : []))
  const earlier = machine.turn?.rollers ?? null
  if (machine.turn !== null) machine.turn.rollers = best
  if (best.length > 1) {
    machine.rollOrder = orderByRoll(machine, rolls, earlier)
    return
  }
  const [winner] = best
  const order = orderByRoll(machine, rolls, earlier)
  machine.rolled = [winner ?? 1, ...order.filter((seat) => seat !== winner)]
  machine.rollRound = 0
  completeTurn(machine)
}

/** Seats that roll again are ordered among themselves only. All other seats keep their place from the first round. */
function orderByRoll(
  machine: Machine,
  rolls: readonly (number | null)[],
  again: readonly number[] | null,
): readonly number[] {
  const value = (seat: number) => rolls[seat - 1] ?? 0
  if (again === null) {
    return rolls.map((_, index) => index + 1).toSorted((one, other) => value(other) - value(one))
  }
  const sorted = [...again].sort((one, other) => value(other) - value(one))
  return [...sorted, ...machine.rollOrder.filter((seat) => !again.includes(seat))]
}

function takePlace(machine: Machine, { seat, data }: Of<'choose'>): void {
  const { pair, place } = data
  takeDraw(machine, data)
  // If the referee or the system chooses, the place is given to seat 1.
  const own = seat ?? 1
  const other = own === 1 ? 2 : 1
  machine.pairs.set(pair, place === 1 ? [own, other] : [other, own])
  finishSeat(machine, seat)
}

function choose(machine: Machine, row: Of<'protect' | 'ban' | 'pick' | 'random' | 'tiebreaker' | 'lineup'>): void {
  if (row.kind !== 'lineup') takeDraw(machine, row.data)
  const { turn } = machine
  if (turn?.step.secret === true && row.seat !== null && row.kind === turn.action) {
    answer(machine, turn, row)
    return
  }
  if (row.kind === 'lineup') giveLineup(machine, row)
  else applyChoice(machine, row)
  // A map that is drawn to replace a level one has no turn of its own.
  if (turn === null || turn.action === 'play') return
  finishSeat(machine, row.seat)
}

function finish(machine: Machine, { data }: Of<'finish'>): void {
  const { ending } = machine
  if (ending === null) machine.ending = { winner: data.winner, by: 'finish', isFinished: true }
  else machine.ending = { ...ending, isFinished: true }
  machine.finishedFor = data.winner
}
