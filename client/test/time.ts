import { platform } from '../platform.ts'

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** A clock that moves only when the test says so. Connections are real. */
export class FakeTime {
  time = Date.parse('2026-05-01T12:00:00.000Z')
  /** The result of `random`. */
  chance = 0.5
  /** Calls the listeners that wait for the network. */
  goOnline = () => {}
  readonly #timers = new Set<Timer>()

  readonly platform = {
    ...platform,
    now: () => this.time,
    random: () => this.chance,
    later: (ms: number, run: () => void) => {
      const timer = { at: this.time + ms, run }
      this.#timers.add(timer)
      return () => this.#timers.delete(timer)
    },
    onOnline: (run: () => void) => {
      this.goOnline = run
      return () => {
        this.goOnline = () => {}
      }
    },
  }

  /** Lets time pass: timers fire in their order. */
  pass(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers.delete(next)
      this.time = Math.max(this.time, next.at)
      next.run()
    }
    this.time = end
  }

  /** Whether a timer fires at exactly that time. */
  isDueIn(ms: number): boolean {
    return [...this.#timers].some(({ at }) => at === this.time + ms)
  }

  get timers(): number {
    return this.#timers.size
  }
}
