import { conflict, invalid } from '../../core/problem.ts'
import { undecidedPairs } from './after-a-row.ts'
import { entitled } from './claims.ts'
import type { Action } from './flow.ts'
import { eligible, illegality, legalFlairs, legalMaps, lineupSize } from './legal-maps.ts'
import { type Machine, openGame, seatNumbers, seatOf, speakersOf, type Turn, teamOf } from './machine.ts'
import { ownPlayer } from './players.ts'
import type { Draft } from './rows.ts'
import { lapsesAt } from './system-rows.ts'
import { pendingSeats } from './turns.ts'

/** Judges what seats do in their turns. (match-flows: Operations) */

export interface Caller {
  readonly user: string
  /** Whether the caller may act for any seat. */
  readonly isReferee: boolean
}

export const actActions = [
  'roll',
  'choose',
  'protect',
  'ban',
  'pick',
  'flair_pick',
  'flair_ban',
  'lineup',
  'ready',
  'break',
  'accept',
  'present',
  'nonce',
] as const

export interface Act {
  readonly action: (typeof actActions)[number]
  /** The seat that acts. A referee names the seat to act on its behalf. */
  readonly seat?: number | undefined
  readonly map?: string | undefined
  readonly flair?: string | undefined
  readonly pair?: string | undefined
  readonly place?: 1 | 2 | undefined
  readonly users?: readonly string[] | undefined
  readonly rolls?: readonly number[] | undefined
  readonly nonce?: string | undefined
}

/** The seats that the user speaks for. */
export function seatsOf(machine: Machine, user: string): readonly number[] {
  return seatNumbers(machine).filter((seat) => speakersOf(machine, seat).includes(user))
}

export function isOver({ ending }: Machine): boolean {
  return ending !== null
}

/**
 * Checks that the caller can act now: only referees act while the session is paused.
 * @throws Problem `flow.over`, `flow.paused`, `flow.time_over`
 */
export function checkRuns(machine: Machine, caller: Caller, now: number): void {
  if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
  if (machine.pausedAt !== null && !caller.isReferee) {
    throw conflict('flow.paused', 'The session is paused; a referee resumes it.')
  }
  checkTime(machine, now)
}

/**
 * Checks that the time of the step is not over.
 * @throws Problem `flow.time_over`
 */
export function checkTime(machine: Machine, now: number): void {
  const lapse = lapsesAt(machine)
  if (lapse !== null && now >= lapse) throw conflict('flow.time_over', 'The time for this step is over.')
}

function notYourTurn() {
  return conflict('flow.not_your_turn', 'It is not your turn; the state tells whose it is.')
}

function wrongAction(message: string) {
  return conflict('flow.wrong_action', message)
}

/**
 * Judges an act and returns its row.
 * @throws Problem `flow.over`, `flow.paused`, `flow.time_over`, `flow.not_your_turn`, `flow.wrong_action`,
 * `flow.map_illegal`, `flow.act_invalid`, `lineup.invalid`
 */
export function judgeAct(machine: Machine, act: Act, caller: Caller, now: number): Draft {
  checkRuns(machine, caller, now)
  if (act.action === 'present')
    return { kind: 'present', ...actorOf(machine, act, caller, seatNumbers(machine)), data: {} }
  if (act.action === 'nonce') return judgeNonce(machine, act, caller)
  if (act.action === 'accept') return judgeAccept(machine, act, caller)
  const { turn } = machine
  if (turn === null || turn.action === 'play') {
    throw wrongAction('Nothing is to be chosen now; the state tells what is.')
  }
  const actor = actorOfTurn(machine, act, caller, turn)
  if (turn.action !== act.action || isSystems(turn)) {
    throw wrongAction(`The step is \`${turn.action}\`, not \`${act.action}\`.`)
  }
  return { ...draftOf(machine, act, turn, actor.seat, caller), ...actor, step: turn.path }
}

/** Whether only the system may act in the turn. A break is an exception: a referee may end it. */
function isSystems({ actor, action }: Turn): boolean {
  return actor === 'system' && action !== 'break'
}

interface Actor {
  readonly seat: number | null
  readonly onBehalf: boolean
}

function actorOf(machine: Machine, { seat }: Act, caller: Caller, among: readonly number[]): Actor {
  const own = seatsOf(machine, caller.user).filter((number) => among.includes(number))
  if (seat !== undefined) {
    if (own.includes(seat)) return { seat, onBehalf: false }
    if (caller.isReferee && among.includes(seat)) return { seat, onBehalf: true }
    throw notYourTurn()
  }
  const [first] = own
  if (first !== undefined) return { seat: first, onBehalf: false }
  const [only, another] = among
  if (!caller.isReferee || only === undefined) throw notYourTurn()
  if (another !== undefined) throw invalid('flow.act_invalid', 'Give as `seat` for whom you act.')
  return { seat: only, onBehalf: true }
}

function actorOfTurn(machine: Machine, act: Act, caller: Caller, turn: Turn): Actor {
  if (turn.actor === 'seats') {
    // A turn that is held after a lapse waits for a referee.
    if (turn.isHeld && !caller.isReferee) throw notYourTurn()
    const actor = actorOf(machine, act, caller, pendingSeats(turn))
    return actor
  }
  if (!caller.isReferee) throw notYourTurn()
  return { seat: null, onBehalf: false }
}

function judgeNonce(machine: Machine, act: Act, caller: Caller): Draft {
  const actor = actorOf(machine, act, caller, seatNumbers(machine))
  const { nonce } = act
  if (nonce === undefined) throw invalid('flow.act_invalid', 'Give your text as `nonce`.')
  // An undone draw repeats its outcome. So no nonce is taken after the first draw, even if that draw was undone.
  if (machine.hasBegun || machine.rows.some(({ data }) => 'draw' in data)) {
    throw wrongAction('Texts are taken until the steps begin.')
  }
  if (actor.seat !== null && seatOf(machine, actor.seat).nonce !== null) {
    throw wrongAction('The seat has given its text already.')
  }
  return { kind: 'nonce', ...actor, data: { nonce } }
}

function judgeAccept(machine: Machine, act: Act, caller: Caller): Draft {
  const game = openGame(machine)
  const isOpen = game?.hasWindow === true
  const among = game?.hasWindow === true ? entitled(machine, game).filter((seat) => !game.accepted.has(seat)) : []
  if (!isOpen) {
    actorOf(machine, act, caller, seatNumbers(machine))
    throw wrongAction('There is no result to accept now.')
  }
  return { kind: 'accept', ...actorOf(machine, act, caller, among), data: {} }
}

function draftOf(machine: Machine, act: Act, turn: Turn, seat: number | null, caller: Caller): Draft {
  const secret = turn.step.secret ? { secret: true as const } : {}
  switch (turn.action) {
    case 'roll':
      return { kind: 'roll', data: rollsOf(machine, turn, act) }
    case 'choose':
      return { kind: 'choose', data: placeOf(machine, turn, act) }
    case 'protect':
    case 'ban':
    case 'pick':
      return { kind: turn.action, map: mapOf(machine, turn, act, seat), data: secret }
    case 'flair_pick':
    case 'flair_ban':
      return { kind: turn.action, data: { flair: flairOf(machine, turn, act) } }
    case 'lineup':
      return { kind: 'lineup', data: { users: lineupFor(machine, act, seat, caller.isReferee), ...secret } }
    case 'ready':
    case 'break':
      return { kind: turn.action, data: {} }
    default:
      throw wrongAction('This step is not for anybody to act in.')
  }
}

function rollsOf(machine: Machine, turn: Turn, { rolls }: Act) {
  const rolling = turn.rollers ?? seatNumbers(machine)
  if (rolls === undefined || rolls.length !== rolling.length) {
    throw invalid('flow.act_invalid', `Give as \`rolls\` what seats ${rolling.join(', ')} rolled, in this order.`)
  }
  const bySeat = seatNumbers(machine).map((seat) => rolls[rolling.indexOf(seat)] ?? null)
  return { rolls: bySeat, round: turn.rollers === null ? 1 : machine.rollRound + 1 }
}

function placeOf(machine: Machine, turn: Turn, { pair, place }: Act) {
  const open = undecidedPairs(machine, turn.step.pair)
  const [only, another] = open
  const named = pair ?? (another === undefined ? only : undefined)
  if (named === undefined || place === undefined) {
    throw invalid('flow.act_invalid', `Give \`place\`, 1 or 2, and as \`pair\` one of ${open.join(', ')}.`)
  }
  if (!open.includes(named)) throw wrongAction(`The pair that is to be chosen is ${open.join(' or ')}.`)
  return { pair: named, place }
}

function mapOf(machine: Machine, turn: Turn, { map }: Act, seat: number | null): string {
  if (map === undefined) throw invalid('flow.act_invalid', 'Give as `map` the GUID of a map of the pool.')
  const why = illegality(machine, turn.step, seat, map)
  if (why !== null) throw conflict('flow.map_illegal', illegal[why], { why })
  return map
}

const illegal = {
  banned: 'This map is banned.',
  protected: 'This map is protected.',
  taken: 'This map is in the play order already, or was played.',
  tiebreaker: 'This map is kept for the tiebreaker.',
  flair: 'Maps of this kind cannot be chosen in this step.',
  limit: 'The seat has chosen a map of this kind before.',
  not_in_pool: 'The session’s pool has no such map.',
} as const

function flairOf(machine: Machine, turn: Turn, { flair }: Act): string {
  const legal = legalFlairs(machine, turn.step)
  if (flair === undefined) throw invalid('flow.act_invalid', 'Give as `flair` the name of a kind of map.')
  if (!legal.includes(flair)) {
    throw conflict('flow.map_illegal', `Choose one of ${legal.join(', ')}.`, { why: 'flair' })
  }
  return flair
}

function lineupFor(machine: Machine, { users = [] }: Act, seat: number | null, isReferee: boolean): readonly string[] {
  if (seat === null) throw wrongAction('A line-up belongs to a seat.')
  const may = eligible(machine, seat)
  // A seat that has only a name plays itself, so the caller need not name users. (D82)
  const isItself = ownPlayer(teamOf(machine, seat)) !== null
  const named = isItself && users.length === 0 ? may : users.map((user) => user.toLowerCase())
  if (isFixed(machine, seat, named) && !isReferee) {
    throw conflict('lineup.invalid', 'The line-up is that of the whole match; a referee substitutes.')
  }
  const size = lineupSize(machine, seat)
  if (named.length !== size || new Set(named).size !== size || !named.every((user) => may.includes(user))) {
    throw conflict(
      'lineup.invalid',
      isItself
        ? `${teamOf(machine, seat).name} plays itself: leave out \`users\`.`
        : `Name ${size} active ${size === 1 ? 'member' : 'members'} of ${teamOf(machine, seat).name}, each once.`,
    )
  }
  return named
}

/**
 * Whether the rules forbid the new line-up: with `per_match`, the seat keeps its line-up while all players of it can
 * play.
 */
function isFixed(machine: Machine, seat: number, named: readonly string[]): boolean {
  const { lineup } = seatOf(machine, seat)
  if (machine.flow.rules.lineup.changes !== 'per_match' || lineup === null) return false
  const may = eligible(machine, seat)
  const isWhole = lineup.length === lineupSize(machine, seat) && lineup.every((user) => may.includes(user))
  return isWhole && !lineup.every((user) => named.includes(user))
}

/**
 * The options of several seats together: maps in the order of the pool, or the players of all these seats.
 * (match-flows: Details, 14)
 */
export function optionsOfAll(machine: Machine, turn: Turn, seats: readonly number[]): readonly (string | number)[] {
  const [only, another] = seats
  if (another === undefined) return optionsOf(machine, turn, only ?? null)
  const options = new Set(seats.flatMap((seat) => optionsOf(machine, turn, seat)))
  const maps = machine.pool.map(({ guid }) => guid).filter((guid) => options.has(guid))
  return maps.length > 0 ? maps : [...options]
}

/** The options of a seat in a turn: maps, places, flairs or users. */
export function optionsOf(machine: Machine, turn: Turn, seat: number | null): readonly (string | number)[] {
  const action: Action = turn.action
  switch (action) {
    case 'choose':
      return [1, 2]
    case 'protect':
    case 'ban':
    case 'pick':
      return legalMaps(machine, turn.step, seat)
    case 'flair_pick':
    case 'flair_ban':
      return legalFlairs(machine, turn.step)
    case 'lineup':
      return seat === null ? [] : eligible(machine, seat)
    default:
      return []
  }
}
