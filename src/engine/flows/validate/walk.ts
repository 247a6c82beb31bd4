import type { Action, Flow, Step } from '../flow.ts'
import { isOfAll } from './actors.ts'
import { Knowledge } from './knowledge.ts'
import { Passing } from './passing.ts'
import {
  reportEmpty,
  reportEnd,
  reportEndless,
  reportLastLeft,
  reportNoFlair,
  reportShort,
} from './problem-messages.ts'
import type { Instruction, Turn } from './program.ts'
import { Supply } from './supply.ts'
import { Findings, type PoolMapFacts } from './types.ts'

/**
 * The longest way through a flow. Every seat may win every map, so a session can stay undecided until every seat lacks
 * one win, and every shorter session is the beginning of this way. The walk assumes the worst case: choices that may
 * lapse add no map to the play order, and all choices take a map of the pool. So this one way stands for all others.
 * (match-flows: Validation, the promise)
 */

export interface Way {
  readonly findings: Findings
  /** The paths that the walk reaches; `end` for the end of the flow. */
  readonly reached: ReadonlySet<string>
  readonly isDecided: boolean
  readonly maps: number
  readonly steps: number
  readonly seconds: number
}

export interface Walked {
  readonly flow: Flow
  readonly program: readonly Instruction[]
  /** Number of maps until the session is decided at the latest: maps with a winner or, in `play_all`, all maps. */
  readonly plays: number
  readonly pool: readonly PoolMapFacts[] | null
  readonly seedsKnown: boolean
  /** The session that the walk continues; left out to walk from the beginning. */
  readonly from?: Standing
}

/** The facts about a session in progress that a walk continues from. */
export interface Standing {
  /** Index in the program of the instruction to begin with. */
  readonly at: number
  /** Number of maps in the play order. */
  readonly queue: number
  readonly rolled: boolean
  /** The chosen pairs, as a bit mask. */
  readonly chosen: number
  /** Number of played maps that count for `lastMapWinner`: 2 if a map has a winner, 1 if not. */
  readonly seen: number
  /** Actions that a seat has lost for the rest of the session. */
  readonly lost: readonly Action[]
  /** How often maps were chosen by each action. */
  readonly choices: ReadonlyMap<Action, number>
  /** Whether one more map of the pool is taken. */
  readonly takesOne: boolean
}

export function walk(walked: Walked): Way {
  return new Walk(walked).run()
}

class Walk {
  readonly #in: Walked
  readonly #findings = new Findings()
  readonly #reached = new Set<string>()
  readonly #supply: Supply | null
  readonly #begun = new Map<string, number>()
  readonly #knowledge: Knowledge
  readonly #passing: Passing
  /** Steps for which a shortage of maps was reported. */
  readonly #short = new Set<Step>()
  readonly #drawnLast: { readonly path: string; readonly mustTaken: number }[] = []
  #at = 0
  #plays = 0
  #playsWithMap = 0
  /** The fewest maps in the play order. */
  #queue = 0
  #taken = 0
  #mustTaken = 0
  #steps = 0
  #seconds = 0

  constructor(walked: Walked) {
    this.#in = walked
    this.#supply = walked.pool === null ? null : new Supply(walked.pool)
    const { from } = walked
    this.#knowledge = new Knowledge(walked, this.#findings)
    this.#passing = new Passing(from?.lost ?? [])
    if (from === undefined ? this.#mayGoByTie : from.takesOne) this.#supply?.spare()
    if (from === undefined) return
    this.#at = from.at
    this.#queue = from.queue
    this.#supply?.remember(from.choices)
  }

  get #mayGoByTie(): boolean {
    const { tie } = this.#in.flow.rules
    return tie.includes('void') || tie.includes('other_map')
  }

  run(): Way {
    const { program, plays } = this.#in
    let at = this.#at
    while (this.#plays < plays) {
      const instruction = program[at]
      if (instruction === undefined) {
        this.#reached.add('end')
        reportEnd(this.#findings, this.#plays, plays)
        break
      }
      if (instruction.kind === 'again') {
        this.#reached.add(instruction.path)
        if (this.#begun.get(instruction.path) === this.#playsWithMap) {
          reportEndless(this.#findings, instruction.path)
          break
        }
        at = instruction.to
        continue
      }
      this.#follow(instruction)
      at += 1
    }
    const isDecided = this.#plays >= plays
    const maps = this.#taken + (this.#supply?.bannedByFlair ?? 0) + (this.#mayGoByTie ? 1 : 0)
    if (isDecided) this.#reportDrawn(maps)
    return {
      findings: this.#findings,
      reached: this.#reached,
      isDecided,
      maps,
      steps: this.#steps,
      seconds: this.#seconds,
    }
  }

  #follow(instruction: Exclude<Instruction, { kind: 'again' }>): void {
    this.#reached.add(instruction.path)
    if (instruction.kind === 'enter') this.#begun.set(instruction.path, this.#playsWithMap)
    else if (instruction.kind === 'each') this.#knowledge.begin(instruction)
    else this.#turn(instruction)
  }

  #turn(turn: Turn): void {
    const { step, path } = turn
    this.#steps += 1
    if (!this.#isDue(step)) return
    this.#seconds += turn.seconds
    this.#knowledge.check(turn)
    switch (step.action) {
      case 'roll':
        this.#knowledge.roll()
        return
      case 'choose':
        this.#knowledge.choose(turn, this.#passing.mayPass(turn))
        return
      case 'flair_ban':
      case 'flair_pick':
        this.#flair(turn)
        return
      case 'ban':
      case 'pick':
      case 'random':
      case 'tiebreaker':
        this.#take(turn)
        return
      case 'play':
        this.#play(path)
        return
      default:
    }
  }

  /** On this way, all seats are at match point exactly when one play is left. In a `play_all` they never are. */
  #isDue({ when }: Step): boolean {
    if (when === 'always') return true
    const { flow, plays } = this.#in
    const isAtPoint = flow.rules.play.mode === 'best_of' && this.#plays === plays - 1
    return (when === 'all_at_match_point') === isAtPoint
  }

  #flair({ step, path }: Turn): void {
    const supply = this.#supply
    if (supply === null) return
    if (supply.flairsLeft(step) < 1) reportNoFlair(this.#findings, path)
    if (step.action === 'flair_ban') supply.flairBan()
    else supply.flairPick(step)
  }

  /** Takes the maps of a choice from the pool. The play order gets a map only if the choice cannot be passed. */
  #take(turn: Turn): void {
    const { step, path, actors, key } = turn
    const takes = step.action === 'ban' && isOfAll(turn.actors) ? this.#in.flow.seats : 1
    const isPassable = this.#passing.mayPass(turn)
    const mustTake = isPassable ? 0 : step.secret ? 1 : takes
    if (step.source === 'last_left') this.#drawnLast.push({ path, mustTaken: this.#mustTaken })
    this.#taken += takes
    this.#mustTaken += mustTake
    if (step.action !== 'ban' && !isPassable) this.#queue += 1
    if (this.#supply === null) return
    if (this.#short.has(step)) {
      this.#supply.takeShort(step, takes)
      return
    }
    const choice = { step, actors, key, takes, mustTake, mayPass: turn.mayPass }
    const { size, left, mayBeLeft } = this.#supply.take(choice)
    if (left < takes) {
      this.#short.add(step)
      reportShort(this.#findings, step, path, size)
    }
    if (step.source === 'last_left' && mayBeLeft > 1) reportLastLeft(this.#findings, path)
  }

  /** Reports a drawn last map without a known pool, which is assumed to be just large enough. */
  #reportDrawn(maps: number): void {
    if (this.#supply !== null) return
    for (const { path, mustTaken } of this.#drawnLast) if (maps - mustTaken > 1) reportLastLeft(this.#findings, path)
  }

  #play(path: string): void {
    this.#plays += 1
    this.#knowledge.play()
    if (this.#queue > 0) {
      this.#queue -= 1
      this.#playsWithMap += 1
      return
    }
    reportEmpty(this.#findings, path)
  }
}
