const rememberedMs = 5_000
const maxRemembered = 5_000

/**
 * Caches for a short time whether a viewer may watch, as each of many viewers asks again and again. (S5) Questions
 * consist only of GUIDs, not of text from viewers, so the number of entries limits the memory.
 */
export class ReadAnswers<Known> {
  /** In the order of expiry, as all answers are cached for the same time. */
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
      if (until > now && this.#answers.size < maxRemembered) return
      this.#answers.delete(name)
    }
  }
}
