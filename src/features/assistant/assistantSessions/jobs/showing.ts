import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { liveMachinesOf, liveScoreOf, liveSessionOf } from '../rules/live.ts'
import type { LiveValue, Machine } from '../rules/machine.ts'
import type { AssistantSession } from '../types.ts'

const gatherMs = 50

/** Live topics of a match: nothing of it is written down, and of values that come fast the last one counts. (AS14) */
export class Showing {
  readonly #context: SetContext
  readonly #session: AssistantSession
  readonly #values = new Map<string, LiveValue>()
  #timer: NodeJS.Timeout | undefined

  constructor(context: SetContext, session: AssistantSession) {
    this.#context = context
    this.#session = session
  }

  show(user: string, value: LiveValue): void {
    this.#values.set(user, value)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const [of, last] of this.#values) this.#put('', `player:${of}`, liveScoreOf(last))
      this.#values.clear()
    }, gatherMs)
  }

  showAll(machine: Machine): void {
    for (const [key, value] of liveMachinesOf(machine)) this.#put('/staff', key, value)
    this.#put('', 'session', liveSessionOf(machine))
  }

  /** Nothing is shown after this. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #put(of: '' | '/staff', key: string, value: object): void {
    const { tournamentGuid, matchGuid, guid: session } = this.#session
    const topic = `/tournaments/${tournamentGuid}/matches/${matchGuid}/live${of}`
    try {
      this.#context.services.realtime.ephemeral.put(topic, key, value, 'assistant')
    } catch (err) {
      this.#context.log.warn({ err, session }, 'live value of the assistant')
    }
  }
}
