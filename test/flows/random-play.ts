import { createHash } from 'node:crypto'
import { lineupSize } from '../../src/engine/flows/legal-maps.ts'
import { openGame, type Turn } from '../../src/engine/flows/machine.ts'
import { optionsOf } from '../../src/engine/flows/seat-actions.ts'
import { lapsesAt } from '../../src/engine/flows/system-rows.ts'
import { type FlowTable, type Given, referee, refusal, tableSession } from '../flow-table.ts'

/** A player who makes random legal steps at a table. */

export type Chance = () => number

/** The same numbers for the same seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The GUID of a warning. */
export function warningGuid(code: string, score: string): string {
  const hex = createHash('sha256').update(`${tableSession}:${code}:${score}`).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export interface Temper {
  /** The probability of a referee's step, from 0 to 1. */
  readonly rulings: number
  readonly lapses: number
  readonly ties: number
}

export class RandomPlayer {
  readonly table: FlowTable
  readonly #chance: Chance
  readonly #temper: Temper
  /** The number of ties, by map. */
  readonly #ties = new Map<string, number>()
  #undos = 0
  #technicals = 0
  #pauses = 0

  constructor(table: FlowTable, chance: Chance, temper: Temper) {
    this.table = table
    this.#chance = chance
    this.#temper = temper
  }

  #one<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.#chance() * list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }

  /** Makes one step. @returns its kind */
  step(): string {
    const { table } = this
    const { phase, status } = table.state
    if (this.#chance() < this.#temper.rulings) {
      const ruling = this.#rule()
      if (ruling !== null) return ruling
    }
    if (status === 'paused' && this.#chance() < 0.7) {
      table.clock('resume')
      return 'resume'
    }
    if (phase === 'referee') return this.#decide()
    const canLapse = lapsesAt(table.machine) !== null
    if (canLapse && (phase === 'starting' || this.#chance() < this.#temper.lapses)) {
      table.lapse()
      return 'lapse'
    }
    if (phase === 'starting') {
      table.clock('resume')
      return 'resume'
    }
    if (phase === 'window') return this.#answer()
    if (phase === 'playing') return this.#play()
    return this.#choose()
  }

  #choose(): string {
    const { table } = this
    const { turn } = table.machine
    if (turn === null) throw new Error('nobody has the turn')
    const seat = turn.actor === 'seats' ? this.#one(turn.seats.filter((each) => !turn.done.has(each))) : null
    const isKept = turn.action === 'lineup' && table.machine.flow.rules.lineup.changes === 'per_match'
    const who = seat === null || isKept || turn.isHeld || table.state.status === 'paused' ? referee : seat
    const options = optionsOf(table.machine, turn, seat)
    const act = (more: object) =>
      table.act(who, { action: turn.action as 'ban', ...(seat === null ? {} : { seat }), ...more })
    switch (turn.action) {
      case 'roll':
        act({ rolls: (turn.rollers ?? table.machine.seats).map(() => 1 + Math.floor(this.#chance() * 3)) })
        break
      case 'choose': {
        const open = (turn.step.pair === null ? table.machine.flow.pairs : [turn.step.pair]).filter(
          (pair) => !table.machine.pairs.has(pair),
        )
        act({ place: this.#one([1, 2]), pair: this.#one(open) })
        break
      }
      case 'flair_pick':
      case 'flair_ban':
        act({ flair: this.#one(options) })
        break
      case 'lineup': {
        const users = options.map(String).sort(() => this.#chance() - 0.5)
        act({ users: users.slice(0, lineupSize(table.machine, seat ?? 1)) })
        break
      }
      case 'ready':
      case 'break':
        act({})
        break
      default:
        this.#refuseOthers(turn, seat, options)
        act({ map: this.#one(options) })
    }
    return `${turn.action} ${seat ?? ''}`
  }

  /** Expects that maps that are no options are refused. */
  #refuseOthers(turn: Turn, seat: number | null, options: readonly (string | number)[]): void {
    const { table } = this
    const others = table.machine.pool.map(({ guid }) => guid).filter((guid) => !options.includes(guid))
    for (const map of [...others, 'no-such-map']) {
      const code = refusal(() =>
        table.act(referee, { action: turn.action as 'ban', map, ...(seat === null ? {} : { seat }) }),
      )
      if (code?.startsWith('flow.map_illegal') !== true) throw new Error(`${map} was accepted, or refused by ${code}`)
    }
  }

  #play(): string {
    const { table } = this
    const { map } = openGame(table.machine) ?? { map: null }
    const isTie = this.#chance() < this.#temper.ties && (this.#ties.get(map ?? '') ?? 0) < 2
    if (isTie) this.#ties.set(map ?? '', (this.#ties.get(map ?? '') ?? 0) + 1)
    const run = openGame(table.machine)?.chains.at(-1)?.runs.at(-1)
    const lineups = run?.lineups ?? []
    const given = lineups.map((users, index) =>
      users.map((): Given => {
        const score = 500_000 + Math.floor(this.#chance() * 5_000) * 2
        const completion = this.#one(['passed', 'passed', 'passed', 'passed', 'failed', 'quit'] as const)
        if (isTie) return { score: 700_000, misses: 3, accuracy: 0.7 }
        // The offsets keep other scores from being equal by chance.
        const own = score + (index === 0 ? 1 : 0) + index * 7
        const pausedSeconds = this.#chance() < 0.05 ? 60 : null
        return { score: own, misses: own % 97, accuracy: own / 1_000_000, completion, pausedSeconds }
      }),
    )
    table.report({ scores: table.reports(given), complete: this.#chance() < 0.1 })
    // Other kinds of ties, such as two failed players, are resolved by a referee.
    return isTie ? 'tie' : 'scores'
  }

  #answer(): string {
    const { table } = this
    if (table.state.status === 'paused') {
      table.clock('resume')
      return 'resume'
    }
    for (const { seat } of table.machine.seats) {
      if (this.#chance() < 0.5 && refusal(() => table.claim(seat)) === null) return `claim ${seat}`
    }
    for (const { seat } of table.machine.seats) {
      if (refusal(() => table.act(seat, { action: 'accept', seat })) === null) return `accept ${seat}`
    }
    table.lapse()
    return 'lapse'
  }

  /** A step that a referee may make at any time. */
  #rule(): string | null {
    const { table } = this
    const { penalties, seats } = table.machine
    const seat = this.#one(seats).seat
    switch (this.#one(['pause', 'undo', 'technical', 'penalty', 'void', 'redraw', 'cancel'])) {
      case 'pause':
        if (this.#pauses >= 3 || table.machine.pausedAt !== null) return null
        this.#pauses += 1
        return refusal(() => table.clock('pause')) === null ? 'pause' : null
      case 'undo':
        if (this.#undos >= 5) return null
        this.#undos += 1
        return refusal(() => table.undo()) === null ? 'undo' : null
      case 'technical':
        if (this.#technicals >= 2) return null
        this.#technicals += 1
        return refusal(() => table.technical(seat)) === null ? 'technical' : null
      case 'penalty': {
        const type = this.#one([
          'warning',
          'score_zero',
          'lose_bans',
          'lose_protects',
          'lose_replays',
          'map_loss',
        ] as const)
        if (penalties.length >= 2 || (type === 'map_loss' && seats.length !== 2)) return null
        const user = type === 'score_zero' ? (table.machine.start.teams[seat - 1]?.members[0] ?? `seat:${seat}`) : null
        const code = refusal(() => table.penalty({ seat, type, ...(user === null ? {} : { user }) }, true))
        return code === null ? `penalty ${type}` : null
      }
      case 'void': {
        const standing = penalties.filter(({ voidedAt, type }) => voidedAt === null && type !== 'map_loss')
        const [first] = standing
        if (first === undefined) return null
        return refusal(() => table.voidPenalty(first.guid, true)) === null ? 'voided' : null
      }
      case 'redraw':
        return refusal(() => table.override({ op: 'redraw' })) === null ? 'redraw' : null
      default: {
        const open = table.machine.claims.find(({ status }) => status === 'open')
        if (open === undefined) return null
        table.cancel(open.guid)
        return 'cancelled'
      }
    }
  }

  /** A decision of the referee that the session waits for. */
  #decide(): string {
    const { table } = this
    const { stuck, turn, seats } = table.machine
    const winner = this.#one(seats).seat
    const [warning] = table.state.warnings.filter(({ isBlocking }) => isBlocking)
    if (stuck === 'blocked' && warning !== undefined) {
      table.override({ op: 'dismiss', warning: warning.guid })
      return 'dismiss'
    }
    if (openGame(table.machine) !== null) {
      table.override({ op: 'award_map', winner })
      return 'award'
    }
    const isChoice = turn !== null && !['ready', 'break', 'lineup'].includes(turn.action)
    const isOpen = turn?.seats.every((seat) => !isChoice || optionsOf(table.machine, turn, seat).length > 0) === true
    if (turn?.isHeld === true && isOpen && turn.seats.length > 0) return this.#choose()
    const free = table.machine.pool.filter(({ guid }) =>
      ['available', 'protected'].includes(table.machine.maps.get(guid)?.state ?? ''),
    )
    for (const { guid } of free) {
      if (refusal(() => table.override({ op: 'set_map', map: guid })) === null) return 'set_map'
    }
    if (refusal(() => table.override({ op: 'skip' })) === null) return 'skip'
    const unwon = table.state.games.find((game) => game.phase !== 'up_next' && game.winner === null)
    if (unwon !== undefined) {
      table.override({ op: 'award_map', winner, game: unwon.game })
      return 'award'
    }
    if (seats.length === 2) table.penalty({ seat: winner, type: 'match_forfeit' })
    else table.put({ kind: 'finish', data: { winner: null, reason: 'Enough.' } })
    return 'ended'
  }
}
