import type { Flow, Step } from '../flow.ts'
import { bitOf, isSomebodyKnown, maySame, pairOf, pairOfEach, seedOrders, type Token } from './actors.ts'
import { mayForfeit, mayGoToOpponent, mayLapse, secondsOf } from './lapses.ts'
import type { Instruction, Turn } from './program.ts'
import { isFlagged, Supply } from './supply.ts'
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

/** What may have been left out of choices of the same action. */
interface Forfeit {
  readonly actors: readonly Token[]
  readonly key: string
  readonly mayPass: boolean
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
  readonly #forfeits = new Map<string, Forfeit[]>()
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
        this.#end()
        break
      }
      if (instruction.kind === 'again') {
        this.#reached.add(instruction.path)
        if (this.#begun.get(instruction.path) === this.#playsWithMap) {
          this.#findings.add(
            'flow.loop_without_play',
            instruction.path,
            'The block can be run through without a map being played, and would never end; let every round play one.',
          )
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

  #end(): void {
    this.#reached.add('end')
    const { plays } = this.#in
    this.#findings.add(
      'flow.no_decision',
      null,
      `The flow ends after ${count(this.#plays, 'map')}, and it can take ${plays} until it is decided; add plays, or a block that repeats until it is decided.`,
    )
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
    this.#seconds += secondsOf(step)
    this.#checkActors(turn)
    switch (step.action) {
      case 'roll':
        this.#rolled = true
        return
      case 'choose':
        this.#choose(turn)
        return
      case 'flair_ban':
        this.#supply?.flairBan(isOfAll(turn) ? this.#in.flow.seats : 1)
        return
      case 'flair_pick':
        this.#supply?.flairPick(step)
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
    this.#chosen = after
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
    const choice = { step, actors, key, takes, mustTake, mayPass: mayGoToOpponent(step) }
    const { size, left, mayBeLeft } = this.#supply.take(choice)
    if (left < takes) this.#tellShort(step, path, size)
    if (step.source === 'last_left' && mayBeLeft > 1) this.#tellLastLeft(path)
  }

  #tellShort(step: Step, path: string, size: number): void {
    if (isFlagged(step)) {
      this.#findings.add(
        'flow.tiebreaker_missing',
        path,
        `The pool has ${count(size, 'flagged tiebreaker')}, and this may need one more; flag another map.`,
      )
      return
    }
    const { flairs, exceptFlairs } = step.from
    const isLimited = flairs !== null || exceptFlairs.length > 0 || step.limits.length > 0
    const which = isLimited ? 'maps that may be chosen here' : 'maps'
    this.#findings.add(
      'flow.too_few_maps',
      isLimited ? path : null,
      `The pool can run out of ${which} in the worst case, of which it has ${size}; add maps, or take bans or picks out.`,
    )
  }

  /** Without a pool it is taken for just as large as it must be. */
  #tellDrawn(maps: number): void {
    if (this.#supply !== null) return
    for (const { path, mustTaken } of this.#drawnLast) if (maps - mustTaken > 1) this.#tellLastLeft(path)
  }

  #tellLastLeft(path: string): void {
    this.#findings.add(
      'flow.last_left_drawn',
      path,
      'More than one map may be left here, and one of them is drawn; ban as many as the pool has more.',
    )
  }

  #play(path: string): void {
    this.#plays += 1
    if (this.#queue > 0) {
      this.#queue -= 1
      this.#playsWithMap += 1
      return
    }
    this.#findings.add(
      'flow.nothing_to_play',
      path,
      'There may be no map to play here; let one be picked before, and drawn where the time to pick runs out.',
    )
  }

  /** Whether the turn may go by without its choice: its time runs out, or its seat has lost such choices before. */
  #isPassable({ step, actors, key }: Turn): boolean {
    const forfeits = this.#forfeits.get(step.action) ?? []
    const isLost = forfeits.some((lost) => lost.mayPass || mayGoToOpponent(step) || maySame(lost.actors, actors))
    const isOfSeat = actors.some(({ name }) => name !== 'referee' && name !== 'system')
    if (mayForfeit(step)) {
      const lost = { actors, key, mayPass: mayGoToOpponent(step) }
      if (!forfeits.some((known) => known.key === key && known.mayPass === lost.mayPass)) forfeits.push(lost)
      this.#forfeits.set(step.action, forfeits)
    }
    return mayLapse(step) || (isLost && isOfSeat)
  }
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

function count(number: number, noun: string): string {
  return `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`
}
