import type { Action } from '../flow.ts'
import { isOfSeats, maySame } from './actors.ts'
import type { Turn } from './program.ts'

/** Which choices may be passed, because their time runs out or because their seat has lost such choices before. */
export class Passing {
  /** Actions that some seat has lost for the rest of the session. */
  readonly #lost: readonly Action[]
  /** Turns that may have cost a seat all later choices of the action, by action and actors. */
  readonly #forfeits = new Map<Action, Map<string, Turn>>()

  constructor(lost: readonly Action[]) {
    this.#lost = lost
  }

  mayPass(turn: Turn): boolean {
    const { step, key, mayPass } = turn
    const isPassable = turn.mayLapse || (isOfSeats(turn.actors) && this.#isLost(turn))
    if (turn.mayForfeit) {
      const known = this.#forfeits.get(step.action) ?? new Map<string, Turn>()
      this.#forfeits.set(step.action, known.set(`${key} ${mayPass}`, turn))
    }
    return isPassable
  }

  #isLost({ step, actors, mayPass }: Turn): boolean {
    if (this.#lost.includes(step.action)) return true
    for (const lost of this.#forfeits.get(step.action)?.values() ?? []) {
      if (mayPass || lost.mayPass || maySame(lost.actors, actors)) return true
    }
    return false
  }
}
