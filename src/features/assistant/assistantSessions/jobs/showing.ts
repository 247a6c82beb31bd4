import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { liveMachinesOf, liveScoreOf, liveSessionOf } from '../rules/live.ts'
import type { LiveValue, Machine } from '../rules/machine.ts'
import type { AssistantSession } from '../types.ts'

const gatherMs = 50

/**
 * Puts the live values of a match on its topics. Nothing is stored, and of values in quick succession only the last is
 * sent. (AS14)
 */
export class Showing {
  readonly #context: SetContext
  readonly #session: AssistantSession
  /** Values that wait for the timer, by user GUID. */
  readonly #values = new Map<string, LiveValue>()
  /** When a player's value was last sent. */
  readonly #sentAt = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(context: SetContext, session: AssistantSession) {
    this.#context = context
    this.#session = session
  }

  show(user: string, value: LiveValue): void {
    const now = performance.now()
    if (this.#timer === undefined && now - (this.#sentAt.get(user) ?? Number.NEGATIVE_INFINITY) >= gatherMs) {
      this.#send(user, value, now)
      return
    }
    this.#values.set(user, value)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const values = [...this.#values]
      this.#values.clear()
      for (const [of, last] of values) this.#send(of, last, performance.now())
    }, gatherMs)
  }

  showAll(machine: Machine): void {
    for (const [key, value] of liveMachinesOf(machine)) this.#put('/staff', key, value)
    this.#put('', 'session', liveSessionOf(machine))
  }

  /** Stops the timer. Waiting values are not shown. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #send(user: string, value: LiveValue, now: number): void {
    this.#sentAt.set(user, now)
    this.#put('', `player:${user}`, liveScoreOf(value))
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
