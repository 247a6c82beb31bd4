import type { Flow, Step } from '../flow.ts'
import { bitOf, isOfSeats, isSomebodyKnown, maySame, pairOf, pairOfEach, seedOrders } from './actors.ts'
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
  /** Turns by which a seat may have lost all later choices of the action, by their actors. */
  readonly #forfeits = new Map<string, Map<string, Turn>>()
  /** Turns whose actors were looked for with all that is known now. */
  #looked = new Set<Turn>()
  /** Steps for which the pool has too little, whatever follows. */
  readonly #short = new Set<Step>()
  readonly #drawnLast: { readonly path: string; readonly mustTaken: number }[] = []
  #rolled = false
  #chosen: ReadonlySet<number> = new Set([0])
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
    if (this.#mayGoByTie) this.#supply?.spare()
  }

  get #mayGoByTie(): boolean {
    const { tie } = this.#in.flow.rules
    return tie.includes('void') || tie.includes('other_map')
  }

  run(): Way {
    const { program, plays } = this.#in
    let at = 0
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
    else if (instruction.kind === 'each') this.#each(instruction)
    else this.#turn(instruction)
  }

  #each({ path, each }: Extract<Instruction, { kind: 'each' }>): void {
    const { flow, seedsKnown } = this.#in
    const pair = pairOfEach(each)
    if (pair === null) {
      if (seedsKnown || !seedOrders.has(each)) return
      this.#findings.add('flow.actor_unknown', path, 'The seeds of the teams are not known; choose another order.')
      return
    }
    const bit = bitOf(flow, pair)
    if ([...this.#chosen].every((chosen) => (chosen & bit) !== 0)) return
    if (!canBeChosen(flow, this.#in.program, pair)) return
    this.#findings.add(
      'flow.actor_unknown',
      path,
      `The places of “${pair}” may not be chosen yet; put the step “choose” before.`,
    )
  }

  #turn(turn: Turn): void {
    const { step, path } = turn
    this.#steps += 1
    if (!this.#isDue(step)) return
    this.#seconds += turn.seconds
    if (!this.#looked.has(turn)) {
      this.#looked.add(turn)
      this.#checkActors(turn)
    }
    switch (step.action) {
      case 'roll':
        if (!this.#rolled) this.#looked = new Set()
        this.#rolled = true
        return
      case 'choose':
        this.#choose(turn)
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

  #checkActors({ step, path, actors }: Turn): void {
    const { flow, program, seedsKnown } = this.#in
    const add = (message: string) => this.#findings.add('flow.actor_unknown', path, message)
    if (step.action === 'choose' && flow.seats !== 2) add('Places are chosen between two seats; take the step out.')
    const isSecretAct = step.action === 'ban' || step.action === 'protect' || step.action === 'lineup'
    if (step.secret && !(isSecretAct && isOfAll({ actors }))) {
      add('What is secret is a ban, a protect or a line-up of “all”; make it one, or take “secret” away.')
    }
    const known = { rolled: this.#rolled, plays: this.#plays, chosen: this.#chosen, seeds: seedsKnown }
    if (isSomebodyKnown(flow, step.action, actors, known)) return
    // Of a pair that is never chosen another problem tells.
    const pairs = actors.flatMap(({ name }) => pairOf(name) ?? [])
    if (flow.seats === 2 && pairs.some((pair) => !canBeChosen(flow, program, pair))) return
    const names = step.actor.map((name) => `“${name}”`).join(', ')
    add(
      `Nobody may be known as ${names} when this comes up; name somebody who always is, or put what decides it before.`,
    )
  }

  #choose(turn: Turn): void {
    const { flow } = this.#in
    const { step, path } = turn
    const wanted = step.pair === null ? flow.pairs : [step.pair]
    const isPassable = this.#isPassable(turn)
    const after = new Set<number>()
    for (const chosen of this.#chosen) {
      const open = wanted.map((pair) => bitOf(flow, pair)).filter((bit) => bit !== 0 && (chosen & bit) === 0)
      for (const bit of open) after.add(chosen | bit)
      if (isPassable || open.length === 0) after.add(chosen)
      if (open.length === 0 && flow.seats === 2) {
        const what = step.pair === null ? 'Every pair' : `“${step.pair}”`
        this.#findings.add('flow.pair_open', path, `${what} may be chosen already; let each be chosen once.`)
      }
    }
    if (isSame(after, this.#chosen)) return
    this.#chosen = after
    this.#looked = new Set()
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
    const takes = step.action === 'ban' && isOfAll(turn) ? this.#in.flow.seats : 1
    const isPassable = this.#isPassable(turn)
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
    // Who won the last map is known from the first one on, or from the second.
    if (this.#plays <= 2) this.#looked = new Set()
    if (this.#queue > 0) {
      this.#queue -= 1
      this.#playsWithMap += 1
      return
    }
    tellEmpty(this.#findings, path)
  }

  /** Whether the turn may go by without its choice: its time runs out, or its seat has lost such choices before. */
  #isPassable(turn: Turn): boolean {
    const { step, key, mayPass } = turn
    const forfeits = this.#forfeits.get(step.action)
    const isPassable = turn.mayLapse || (forfeits !== undefined && this.#isLost(turn, forfeits.values()))
    if (turn.mayForfeit) {
      const known = forfeits ?? new Map<string, Turn>()
      known.set(`${key} ${mayPass}`, turn)
      this.#forfeits.set(step.action, known)
    }
    return isPassable
  }

  #isLost({ actors, mayPass }: Turn, forfeits: Iterable<Turn>): boolean {
    if (!isOfSeats(actors)) return false
    for (const lost of forfeits) if (mayPass || lost.mayPass || maySame(lost.actors, actors)) return true
    return false
  }
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each))
}

function isOfAll({ actors }: Pick<Turn, 'actors'>): boolean {
  return actors.some(({ name }) => name === 'all')
}

/** Whether a step of the flow decides it, wherever that is. */
export function canBeChosen({ pairs }: Pick<Flow, 'pairs'>, program: readonly Instruction[], pair: string): boolean {
  if (!pairs.includes(pair)) return false
  return program.some(
    (each) => each.kind === 'turn' && each.step.action === 'choose' && (each.step.pair ?? pair) === pair,
  )
}
