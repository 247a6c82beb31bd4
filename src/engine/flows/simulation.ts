import { createHash } from 'node:crypto'
import { Problem } from '../../core/problem.ts'
import { entitled } from './claims.ts'
import { commitmentOf } from './draws.ts'
import type { Flow } from './flow.ts'
import { finalGames, type Machine, openGame, seatNumbers } from './machine.ts'
import { judgeOverride } from './referee-rulings.ts'
import { begin, write } from './row-writer.ts'
import type { Draft, PoolEntry, Row, ScoreReport } from './rows.ts'
import { judgeScores } from './scores.ts'
import { type Act, judgeAct } from './seat-actions.ts'
import { stateOf } from './state.ts'
import type { State } from './state-types.ts'
import { lapseRows, lapsesAt } from './system-rows.ts'
import type { PoolMapFacts } from './validate/types.ts'

/**
 * A flow that is tried: a session of invented sides and maps, on the machine that sessions run on. Nothing of it is kept,
 * so each call has all moves. (match-flows: FFA)
 */

export interface Trial {
  readonly flow: Flow
  readonly bestOf: number | null
  readonly pool: readonly PoolMapFacts[]
  /** Equal seeds draw the same. */
  readonly seed: string
  readonly moves: readonly Move[]
}

export type Move =
  /** A side or the referee acts; maps are numbered from 1. */
  | (Omit<Act, 'action' | 'map'> & { readonly kind: 'act'; readonly map?: number | undefined })
  /** The map is played; null where it ends level. No replay is claimed. */
  | { readonly kind: 'result'; readonly winner: number | null }
  /** The time of the step runs out. */
  | { readonly kind: 'lapse' }
  /** A referee passes a step in which no side can act. */
  | { readonly kind: 'skip' }

export interface Simulated {
  /** How many of the moves were possible; what comes after is left out. */
  readonly taken: number
  /** Why the next one was not. */
  readonly refused: string | null
  readonly state: State
  readonly rows: readonly Row[]
}

const session = '00000000-0000-4000-8000-000000000000'
const referee = { user: 'referee', isReferee: true }
const startsAt = Date.UTC(2030, 0, 1)
const reason = 'A trial.'
/** More than any flow has that ends. */
const maxRows = 2_000

export function simulate({ flow, bestOf, pool, seed, moves }: Trial): Simulated {
  const table = new Table(settled(flow, bestOf), pool, createHash('sha256').update(seed).digest())
  let taken = 0
  let refused: string | null = null
  for (const move of moves) {
    try {
      table.take(move)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused = error.message
      break
    }
    taken += 1
  }
  const { machine } = table
  return { taken, refused, state: stateOf(machine, table.now, { seats: [], isReferee: true }), rows: machine.rows }
}

/** Each side is one player. */
function settled(flow: Flow, bestOf: number | null): Flow {
  const { rules } = flow
  return { ...flow, bestOf: flow.bestOf ?? bestOf ?? 3, rules: { ...rules, map: { ...rules.map, players: 1 } } }
}

const nameOf = (map: number) => `m${map}`
/** The number of a map in the pool, from 1. */
export const numberOf = (map: string) => Number(map.slice(1))

class Table {
  now = startsAt
  machine: Machine
  readonly #seed: Uint8Array
  #guids = 0

  constructor(flow: Flow, pool: readonly PoolMapFacts[], seed: Uint8Array) {
    this.#seed = seed
    const teams = Array.from({ length: flow.seats }, (_, index) => {
      const seat = index + 1
      return { seat, team: null, name: `${seat}`, seed: seat, captain: null, members: [] }
    })
    const data = {
      ...{ commitment: commitmentOf(seed), flow, pool: pool.map(entryOf), teams, startsAt: null },
      ...{ allowDraws: true, scheduledAt: null, bannedMods: [] },
    }
    this.machine = begin(session, { kind: 'start', data }, referee.user, { seed, now: this.now }).machine
  }

  /** @throws Problem where it is not possible */
  take(move: Move): void {
    if (this.machine.position > maxRows) {
      throw new Problem('conflict', 'flow.limit_reached', 'The flow goes on and on; it is tried no further.')
    }
    switch (move.kind) {
      case 'act':
        this.#act(move)
        break
      case 'result':
        this.#report(move.winner)
        break
      case 'lapse':
        this.#lapse()
        break
      case 'skip':
        this.#write([judgeOverride(this.machine, { op: 'skip', reason }, [], this.now)])
    }
  }

  #act({ kind: _kind, map, ...act }: Extract<Move, { kind: 'act' }>): void {
    const action = this.machine.turn?.action as Act['action']
    const given = { ...act, action, ...(map !== undefined && { map: nameOf(map) }) }
    this.#write([judgeAct(this.machine, given, referee, this.now)])
  }

  #report(winner: number | null): void {
    const { machine } = this
    if (machine.stuck === 'level' || machine.stuck === 'level_match') {
      const game = openGame(machine)?.game ?? finalGames(machine).at(-1)?.game
      const ruling = winner === null ? ({ op: 'void_map' } as const) : ({ op: 'award_map', winner, game } as const)
      this.#write([judgeOverride(machine, { ...ruling, reason }, [], this.now)])
      return
    }
    const scores = seatNumbers(machine).map((seat) => ({ ...scoreOf(winner === null || seat === winner), seat }))
    const draft = judgeScores(machine, { scores, complete: true }, () => `score-${++this.#guids}`)
    if (draft === null) return
    this.#write([draft])
    // Each side accepts the result.
    for (const seat of seatNumbers(this.machine)) {
      const game = openGame(this.machine)
      if (game === null || !game.hasWindow || game.accepted.has(seat)) continue
      if (entitled(this.machine, game).includes(seat))
        this.#write([judgeAct(this.machine, { action: 'accept', seat }, referee, this.now)])
    }
  }

  #lapse(): void {
    const at = lapsesAt(this.machine)
    if (at === null) throw new Problem('conflict', 'timeout.no_clock', 'No clock runs in this step.')
    this.now = Math.max(this.now, at)
    this.#write(lapseRows(this.machine, this.now), null)
  }

  #write(drafts: readonly Draft[], by: string | null = referee.user): void {
    this.machine = write(this.machine, drafts, by, { seed: this.#seed, now: this.now }).machine
    this.now += 1
  }
}

function entryOf({ flair, isTiebreaker }: PoolMapFacts, index: number): PoolEntry {
  const guid = nameOf(index + 1)
  const map = { hash: guid, difficulty: 'ExpertPlus', characteristic: 'Standard', name: null, maxScore: null }
  return { guid, flair: flair === null ? null : { name: flair }, isTiebreaker, modifiers: [], map }
}

function scoreOf(isBest: boolean): Omit<ScoreReport, 'guid' | 'user' | 'map'> {
  const values = isBest ? { score: 900_000, accuracy: 0.95, misses: 0 } : { score: 800_000, accuracy: 0.85, misses: 9 }
  return {
    ...{ ...values, badCuts: null, maxCombo: null, completion: 'passed', pausedSeconds: null, mods: [] },
    ...{ source: 'manual', externalId: null, playedAt: null, evidenceUrl: null },
  }
}
