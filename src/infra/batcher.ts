import { setImmediate, setTimeout } from 'node:timers/promises'

export interface BatcherOptions<Question, Answer> {
  /** The answers must have the order of the questions. */
  readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  /** More questions than this within a second are a rush. */
  readonly rush?: number
  /** How long questions are gathered in a rush. */
  readonly gatherMs?: number
}

/**
 * Combines questions into one call, for instance one SQL statement: those of one turn of the event loop, and in a rush
 * those of `gatherMs`. A single question outside a rush does not wait longer than that turn.
 */
export class Batcher<Question, Answer> {
  readonly #options: BatcherOptions<Question, Answer>
  #waiting: { readonly question: Question; readonly answered: PromiseWithResolvers<Answer> }[] = []
  /** The number of questions within the last second, with older ones weighted less. */
  #recent = 0
  #recentAt = 0

  constructor(options: BatcherOptions<Question, Answer>) {
    this.#options = options
  }

  ask(question: Question): Promise<Answer> {
    const { rush = Number.POSITIVE_INFINITY, gatherMs = 0 } = this.#options
    const now = performance.now()
    this.#recent = 1 + this.#recent * Math.exp((this.#recentAt - now) / 1_000)
    this.#recentAt = now
    const answered = Promise.withResolvers<Answer>()
    this.#waiting.push({ question, answered })
    if (this.#waiting.length === 1) void this.#askAfter(this.#recent > rush ? setTimeout(gatherMs) : setImmediate())
    return answered.promise
  }

  async #askAfter(turn: Promise<unknown>): Promise<void> {
    await turn
    const asked = this.#waiting
    this.#waiting = []
    try {
      const answers = await this.#options.ask(asked.map(({ question }) => question))
      for (const [index, { answered }] of asked.entries()) answered.resolve(answers[index] as Answer)
    } catch (error) {
      for (const { answered } of asked) answered.reject(error)
    }
  }
}
