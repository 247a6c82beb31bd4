import { Problem } from '../../src/core/problem.ts'
import { restore } from '../../src/engine/corrections.ts'
import { planElimination } from '../../src/engine/elimination.ts'
import { apply, type Change, NeedsMatch, settle } from '../../src/engine/progress.ts'
import { planRoundRobin } from '../../src/engine/round-robin.ts'
import type {
  Board,
  Decision,
  Game,
  Match,
  Plan,
  Settings,
  SideIndex,
  WithdrawalPolicy,
} from '../../src/engine/types.ts'

/** Brackets in memory for tests of the engine. */

export interface Shape {
  readonly format: 'single_elimination' | 'double_elimination' | 'round_robin'
  readonly size: number
  readonly thirdPlace: boolean
  readonly grandFinal: Settings['grandFinal']
  readonly bestOf: number
}

export const shape = (format: Shape['format'], size: number, rest: Partial<Shape> = {}): Shape => ({
  format,
  size,
  thirdPlace: false,
  grandFinal: 'reset',
  bestOf: 3,
  ...rest,
})

/** Teams are called `t1`, `t2`, … by seed. */
export function planOf({ format, size, bestOf, thirdPlace, grandFinal }: Shape): Plan {
  const entrants = Array.from({ length: size }, (_, index) => ({ seed: index + 1, team: `t${index + 1}` }))
  if (format === 'round_robin') {
    return planRoundRobin(entrants, { groups: 1, legs: 1, distribution: 'snake', bestOf, bestOfByRound: {} })
  }
  return planElimination(entrants, format, {
    bestOf,
    bestOfByRound: {},
    seedOrdering: 'standard',
    thirdPlace,
    grandFinal,
  })
}

export interface Step {
  readonly before: readonly Match[]
  readonly after: readonly Match[]
}

/** A bracket that changes in place, like a database. */
export class Bracket {
  readonly matches: Map<number, Match>
  readonly withdrawn = new Map<string, WithdrawalPolicy>()
  readonly allowDraws: boolean

  constructor(matches: readonly Match[], allowDraws = false) {
    this.matches = new Map(matches.map((match) => [match.number, match]))
    this.allowDraws = allowDraws
  }

  static of(wanted: Shape): Bracket {
    return new Bracket(settle(planOf(wanted), { withdrawn: new Map() }), wanted.format === 'round_robin')
  }

  copy(): Bracket {
    const copy = new Bracket(this.list(), this.allowDraws)
    for (const [team, policy] of this.withdrawn) copy.withdrawn.set(team, policy)
    return copy
  }

  list(): readonly Match[] {
    return [...this.matches.values()]
  }

  match(number: number): Match {
    const match = this.matches.get(number)
    if (match === undefined) throw new Error(`No match ${number}`)
    return match
  }

  /** The teams of a match. */
  teams(number: number): readonly (string | null)[] {
    return this.match(number).sides.map(({ team }) => team)
  }

  get board(): Board {
    return { match: (number) => this.matches.get(number), withdrawn: this.withdrawn, allowDraws: this.allowDraws }
  }

  make(change: Change): Step {
    const step = this.take(apply(this.board, change))
    if (change.kind === 'withdraw') this.withdrawn.set(change.team, change.policy)
    return step
  }

  undo({ before, after }: Step): Step {
    return this.take(restore(this.board, before, after))
  }

  private take(after: readonly Match[]): Step {
    const before = after.map(({ number }) => this.match(number))
    for (const match of after) this.matches.set(match.number, match)
    return { before, after }
  }

  result(match: number, decision: Decision): Step {
    return this.make({ kind: 'result', match, decision })
  }

  /** A result without scores. */
  win(match: number, winner: SideIndex): Step {
    return this.result(match, { outcome: 'score', winner, scores: null })
  }

  game(match: number, number: number, winner: Game['winner']): Step {
    return this.make({ kind: 'game', match, game: game(number, winner) })
  }

  withdraw(team: string, policy: WithdrawalPolicy = 'walkover'): Step {
    const matches = this.list().filter(({ sides }) => sides.some((side) => side.team === team))
    return this.make({ kind: 'withdraw', team, policy, matches: matches.map(({ number }) => number) })
  }

  open(): readonly Match[] {
    return this.list().filter(({ status }) => status === 'ready' || status === 'running')
  }

  /** Plays all matches until none is left. */
  playOn(winner: (match: Match) => SideIndex): void {
    for (let [next] = this.open(); next !== undefined; [next] = this.open()) this.win(next.number, winner(next))
  }
}

/** The problem with which a change is refused, as `kind code`. */
export function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return `${error.kind} ${error.code}`
    throw error
  }
  return 'accepted'
}

/** Two teams in one match. */
export const duel = (bestOf = 3) => Bracket.of(shape('single_elimination', 2, { bestOf }))
/** Matches 1 and 2 are semi-finals, 3 decides the third place, 4 is the final. */
export const four = () => Bracket.of(shape('single_elimination', 4, { thirdPlace: true }))
/** 1, 2: upper semi-finals; 3: upper final; 4, 5: lower; 6: final; 7: reset. */
export const double = () => Bracket.of(shape('double_elimination', 4))

/** The outcome of a match, without its teams. */
export const short = ({ status, outcome, sides }: Match) => ({
  status,
  outcome,
  scores: sides.map(({ score }) => score),
  results: sides.map(({ result }) => result),
})

export function game(number: number, winner: Game['winner']): Game {
  return { number, winner, scores: [null, null] }
}

/** The result of `think` on a board that loads one match at a time on demand, and the loaded numbers. */
export function thinkPartially(
  full: Board,
  think: (board: Board) => readonly Match[],
): { readonly altered: readonly Match[]; readonly loaded: ReadonlySet<number> } {
  const loaded = new Set<number>()
  const board: Board = { ...full, match: (number) => (loaded.has(number) ? full.match(number) : undefined) }
  for (;;) {
    try {
      return { altered: think(board), loaded }
    } catch (error) {
      if (!(error instanceof NeedsMatch) || loaded.has(error.number)) throw error
      loaded.add(error.number)
    }
  }
}
