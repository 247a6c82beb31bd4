const rememberedMs = 5_000
const mostRemembered = 5_000

/**
 * Whether somebody may watch is asked again and again by each of many viewers. (S5) Questions are GUIDs alone, never what viewers
 * send, so that their number bounds the memory.
 */
export class ReadAnswers<Known> {
  /** In the order of their ends, since all are remembered equally long. */
  readonly #answers = new Map<string, { readonly answer: Known; readonly until: number }>()

  async of(question: readonly string[], now: Date, decide: () => Promise<Known>): Promise<Known> {
    const name = question.join(' ')
    const known = this.#answers.get(name)
    if (known !== undefined && known.until > now.getTime()) return known.answer
    const answer = await decide()
    this.#answers.delete(name)
    this.#forget(now.getTime())
    this.#answers.set(name, { answer, until: now.getTime() + rememberedMs })
    return answer
  }

  #forget(now: number): void {
    for (const [name, { until }] of this.#answers) {
      if (until > now && this.#answers.size < mostRemembered) return
      this.#answers.delete(name)
    }
  }
}
