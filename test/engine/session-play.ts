import { undecidedPairs } from '../../src/engine/flows/after-a-row.ts'
import { commitmentOf } from '../../src/engine/flows/draws.ts'
import type { Flow } from '../../src/engine/flows/flow.ts'
import { finalGames, type Machine, openGame, type Turn } from '../../src/engine/flows/machine.ts'
import { judgeOverride } from '../../src/engine/flows/referee-rulings.ts'
import { begin, write } from '../../src/engine/flows/row-writer.ts'
import type { PoolEntry } from '../../src/engine/flows/rows.ts'
import { judgeScores } from '../../src/engine/flows/scores.ts'
import { judgeAct, optionsOf } from '../../src/engine/flows/seat-actions.ts'
import { lapseRows, lapsesAt } from '../../src/engine/flows/system-rows.ts'
import { pendingSeats } from '../../src/engine/flows/turns.ts'
import type { PoolMapFacts } from '../../src/engine/flows/validate/types.ts'

/** Plays a session to its end with random legal steps: acts, lapses, results, and awards by the referee. */

export interface Habits {
  /** The shares of lapses and ties. */
  readonly lapses: number
  readonly ties: number
}

export type Chance = (below: number) => number

const session = '11111111-1111-4111-8111-111111111111'
const referee = { user: 'referee', isReferee: true }
const maxMoves = 4_000
const maxTies = 2

/** @returns why the session did not end; null when it did */
export function playOut(
  flow: Flow,
  pool: readonly PoolMapFacts[],
  chance: Chance,
  habits: Habits,
): { readonly fault: string | null; readonly machine: Machine } {
  const table = new Table(flow, pool, chance, habits)
  for (let move = 0; move < maxMoves; move += 1) {
    const { ending, stuck, turn } = table.machine
    if (ending !== null) return { fault: null, machine: table.machine }
    // The referee makes the turns that are held.
    const isForReferee = stuck === 'level' || stuck === 'level_match' || turn?.isHeld === true
    if (stuck !== null && !isForReferee) return { fault: stuck, machine: table.machine }
    if (!table.move()) return { fault: 'nobody can do anything', machine: table.machine }
  }
  return { fault: 'it goes on and on', machine: table.machine }
}

class Table {
  machine: Machine
  readonly #chance: Chance
  readonly #habits: Habits
  readonly #ties = new Map<number, number>()
  #now = 1_000_000_000_000
  #guid = 0

  constructor(flow: Flow, pool: readonly PoolMapFacts[], chance: Chance, habits: Habits) {
    this.#chance = chance
    this.#habits = habits
    const seed = Uint8Array.from({ length: 32 }, () => chance(256))
    this.#seed = seed
    const teams = Array.from({ length: flow.seats }, (_, index) => {
      const user = `user-${index + 1}`
      const name = `Team ${index + 1}`
      return { seat: index + 1, team: name, name, seed: index + 1, captain: user, members: [user] }
    })
    const data = {
      commitment: commitmentOf(seed),
      flow,
      startsAt: null,
      allowDraws: true,
      pool: pool.map(entryOf),
      teams,
      scheduledAt: null,
      bannedMods: [],
    }
    this.machine = begin(session, { kind: 'start', data }, 'referee', { seed, now: this.#now }).machine
  }

  readonly #seed: Uint8Array

  #write(draft: Parameters<typeof write>[1][number], by: string | null): true {
    this.machine = write(this.machine, [draft], by, { seed: this.#seed, now: this.#now }).machine
    this.#now += 1
    return true
  }

  #happens(share: number): boolean {
    return this.#chance(1_000) < share * 1_000
  }

  /** @returns false when no step is possible */
  move(): boolean {
    const { machine } = this
    if (machine.stuck === 'level' || machine.stuck === 'level_match') return this.#award()
    const game = openGame(machine)
    const isWindow = game?.hasWindow === true
    if (lapsesAt(machine) !== null && (isWindow || this.#happens(this.#habits.lapses))) return this.#lapse()
    if (game !== null) return this.#report()
    if (machine.turn !== null) return this.#act(machine.turn)
    return false
  }

  #lapse(): boolean {
    this.#now = (lapsesAt(this.machine) ?? 0) + 1
    const rows = lapseRows(this.machine, this.#now)
    if (rows.length === 0) return false
    this.machine = write(this.machine, rows, null, { seed: this.#seed, now: this.#now }).machine
    return true
  }

  #award(): true {
    const winner = 1 + this.#chance(this.machine.seats.length)
    return this.#write(
      judgeOverride(this.machine, { op: 'award_map', winner, reason: 'Level.' }, [], this.#now),
      'referee',
    )
  }

  #report(): true {
    const { games, seats } = this.machine
    const ties = this.#ties.get(games.length) ?? 0
    const isTie = ties < maxTies && this.#happens(this.#habits.ties)
    if (isTie) this.#ties.set(games.length, ties + 1)
    const winner = this.#chance(seats.length)
    const scores = seats.map(({ seat }, index) => ({
      user: `user-${seat}`,
      score: isTie ? 500 : index === winner ? 900 : 100 + index,
      accuracy: null,
      misses: null,
      badCuts: null,
      maxCombo: null,
      completion: 'passed' as const,
      pausedSeconds: null,
      mods: [],
      source: 'manual' as const,
      externalId: null,
      playedAt: null,
      evidenceUrl: null,
    }))
    const draft = judgeScores(this.machine, { scores, complete: true }, () => `score-${++this.#guid}`)
    if (draft === null) throw new Error('scores were told twice')
    return this.#write(draft, 'referee')
  }

  #act(turn: Turn): boolean {
    const { machine } = this
    const pending = pendingSeats(turn)
    const seat = turn.actor === 'seats' ? pending[this.#chance(pending.length)] : undefined
    if (turn.actor === 'seats' && seat === undefined) return false
    if (turn.actor === 'system') return false
    const options = optionsOf(machine, turn, seat ?? null)
    const any = options.length === 0 ? undefined : options[this.#chance(options.length)]
    const [pair] = undecidedPairs(machine, turn.step.pair)
    const isFlair = turn.action === 'flair_ban' || turn.action === 'flair_pick'
    const rolls = machine.seats.map((_, index) => 1 + ((index + this.#chance(50)) % 100))
    const isMap = turn.action === 'ban' || turn.action === 'protect' || turn.action === 'pick'
    const act = {
      action: turn.action as 'ban',
      seat,
      ...(isMap ? { map: String(any) } : {}),
      ...(isFlair ? { flair: String(any) } : {}),
      ...(turn.action === 'choose' ? { pair, place: this.#chance(2) === 0 ? (1 as const) : (2 as const) } : {}),
      ...(turn.action === 'lineup' ? { users: [`user-${seat}`] } : {}),
      ...(turn.action === 'roll' ? { rolls: rolls.slice(0, turn.rollers?.length ?? rolls.length) } : {}),
    }
    return this.#write(judgeAct(machine, act, referee, this.#now), 'referee')
  }
}

function entryOf({ flair, isTiebreaker }: PoolMapFacts, index: number): PoolEntry {
  const guid = `m${index + 1}`
  const map = { hash: guid, difficulty: 'ExpertPlus', characteristic: 'Standard', name: guid, maxScore: 1_000_000 }
  return { guid, flair: flair === null ? null : { name: flair }, isTiebreaker, modifiers: [], map }
}

/** The number of maps that were played to an end, including those of implied turns. */
export function playsOf(machine: Machine): number {
  return finalGames(machine).length
}
