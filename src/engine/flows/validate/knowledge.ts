import type { Flow } from '../flow.ts'
import { bitOf, isOfAll, isSomebodyKnown, pairOf, pairOfEach, seedOrders } from './actors.ts'
import type { Instruction, Turn } from './program.ts'
import type { Findings } from './types.ts'
import type { Walked } from './walk.ts'

/**
 * Tracks what is known on the walk through a flow, and checks that the actors of each turn are known.
 * (match-flows: Flow, actors)
 */
export class Knowledge {
  readonly #in: Walked
  readonly #findings: Findings
  /** Turns whose actors were checked with everything that is known now. */
  #looked = new Set<Turn>()
  #rolled: boolean
  #chosen: ReadonlySet<number>
  /** Number of maps that were played, with those before the walk. */
  #plays: number

  constructor(walked: Walked, findings: Findings) {
    const { from } = walked
    this.#in = walked
    this.#findings = findings
    this.#rolled = from?.rolled ?? false
    this.#chosen = new Set([from?.chosen ?? 0])
    this.#plays = from?.seen ?? 0
  }

  roll(): void {
    if (!this.#rolled) this.#looked = new Set()
    this.#rolled = true
  }

  play(): void {
    this.#plays += 1
    // The winner of the last map is known after the first play or, with void maps, after the second.
    if (this.#plays <= 2) this.#looked = new Set()
  }

  /** Checks the order of an `each` block that begins. */
  begin({ path, each }: Extract<Instruction, { kind: 'each' }>): void {
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

  check(turn: Turn): void {
    if (this.#looked.has(turn)) return
    this.#looked.add(turn)
    this.#checkActors(turn)
  }

  #checkActors({ step, path, actors }: Turn): void {
    const { flow, program, seedsKnown } = this.#in
    const add = (message: string) => this.#findings.add('flow.actor_unknown', path, message)
    if (step.action === 'choose' && flow.seats !== 2) add('Places are chosen between two seats; take the step out.')
    const isSecretAct = step.action === 'ban' || step.action === 'protect' || step.action === 'lineup'
    if (step.secret && !(isSecretAct && isOfAll(actors))) {
      add('What is secret is a ban, a protect or a line-up of “all”; make it one, or take “secret” away.')
    }
    const known = { rolled: this.#rolled, plays: this.#plays, chosen: this.#chosen, seeds: seedsKnown }
    if (isSomebodyKnown(flow, step.action, actors, known)) return
    // A pair that is never chosen is reported by another problem.
    const pairs = actors.flatMap(({ name }) => pairOf(name) ?? [])
    if (flow.seats === 2 && pairs.some((pair) => !canBeChosen(flow, program, pair))) return
    const names = step.actor.map((name) => `“${name}”`).join(', ')
    add(
      `Nobody may be known as ${names} when this comes up; name somebody who always is, or put what decides it before.`,
    )
  }

  /** @param isPassable whether the turn may pass without a choice */
  choose({ step, path }: Turn, isPassable: boolean): void {
    const { flow } = this.#in
    const wanted = step.pair === null ? flow.pairs : [step.pair]
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
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each))
}

/** Whether any step of the flow chooses the pair. */
export function canBeChosen({ pairs }: Pick<Flow, 'pairs'>, program: readonly Instruction[], pair: string): boolean {
  if (!pairs.includes(pair)) return false
  return program.some(
    (each) => each.kind === 'turn' && each.step.action === 'choose' && (each.step.pair ?? pair) === pair,
  )
}
