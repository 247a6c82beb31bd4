import type { Action, Flow, Step } from '../flow.ts'
import { isOfAll } from './actors.ts'
import { Knowledge } from './knowledge.ts'
import { Passing } from './passing.ts'
import type { Instruction, Turn } from './program.ts'
import { Supply } from './supply.ts'
import { tellEmpty, tellEnd, tellEndless, tellLastLeft, tellNoFlair, tellShort } from './telling.ts'
import { Findings, type PoolMapFacts } from './types.ts'

/**
 * The longest way through a flow. Who wins a map is anybody's guess, so that a session can always go on undecided until
 * every seat lacks one win; whatever ends earlier is the beginning of this way. On it everything is followed at its worst:
 * choices that lapse leave no map to play, and all others take one of the pool. So one way tells of all.
 * (match-flows: Validation, the promise)
 */

export interface Way {
  readonly findings: Findings
  /** Paths that it comes to; `end` for the end of the flow. */
  readonly reached: ReadonlySet<string>
  readonly isDecided: boolean
  readonly maps: number
  readonly steps: number
  readonly seconds: number
}

export interface Walked {
  readonly flow: Flow
  readonly program: readonly Instruction[]
  /** Maps that have a winner, or in a play_all all that are played, until it is decided at the latest. */
  readonly plays: number
  readonly pool: readonly PoolMapFacts[] | null
  readonly seedsKnown: boolean
  /** Where the session stands; left out at its beginning. */
  readonly from?: Standing
}

/** A session on its way. */
export interface Standing {
  /** In the program. */
  readonly at: number
  /** Maps in the play order. */
  readonly queue: number
  readonly rolled: boolean
  /** Pairs, as bits. */
  readonly chosen: number
  /** Maps that were played, as far as they make known who has won one. */
  readonly seen: number
  /** Actions that a seat has lost for the rest of the session. */
  readonly lost: readonly Action[]
  /** How often maps were chosen by each action. */
  readonly choices: ReadonlyMap<Action, number>
  /** One map of the pool is taken beside. */
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
  /** Steps for which the pool has too little, whatever follows. */
  readonly #short = new Set<Step>()
  readonly #drawnLast: { readonly path: string; readonly mustTaken: number }[] = []
  #at = 0
  #plays = 0
  #playsWithMap = 0
  /** Maps in the play order at least. */
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
        tellEnd(this.#findings, this.#plays, plays)
        break
      }
      if (instruction.kind === 'again') {
        this.#reached.add(instruction.path)
        if (this.#begun.get(instruction.path) === this.#playsWithMap) {
          tellEndless(this.#findings, instruction.path)
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
    if (isDecided) this.#tellDrawn(maps)
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

  /** Everybody is at match point on this way just when one map is left; in a play_all nobody ever is. */
  #isDue({ when }: Step): boolean {
    if (when === 'always') return true
    const { flow, plays } = this.#in
    const isAtPoint = flow.rules.play.mode === 'best_of' && this.#plays === plays - 1
    return (when === 'all_at_match_point') === isAtPoint
  }

  #flair({ step, path }: Turn): void {
    const supply = this.#supply
    if (supply === null) return
    if (supply.flairsLeft(step) < 1) tellNoFlair(this.#findings, path)
    if (step.action === 'flair_ban') supply.flairBan()
    else supply.flairPick(step)
  }

  /** Takes a map out of the pool, or none where its time may run out. */
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
      tellShort(this.#findings, step, path, size)
    }
    if (step.source === 'last_left' && mayBeLeft > 1) tellLastLeft(this.#findings, path)
  }

  /** Without a pool it is taken for just as large as it must be. */
  #tellDrawn(maps: number): void {
    if (this.#supply !== null) return
    for (const { path, mustTaken } of this.#drawnLast) if (maps - mustTaken > 1) tellLastLeft(this.#findings, path)
  }

  #play(path: string): void {
    this.#plays += 1
    this.#knowledge.play()
    if (this.#queue > 0) {
      this.#queue -= 1
      this.#playsWithMap += 1
      return
    }
    tellEmpty(this.#findings, path)
  }
}
