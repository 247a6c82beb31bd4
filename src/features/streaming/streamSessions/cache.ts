const rememberedMs = 5_000
const mostRemembered = 5_000

/** Whether somebody may watch is asked again and again by each of many viewers. (S5) */
export class ReadVerdicts {
  /** In the order of their ends, since all are remembered equally long. */
  readonly #verdicts = new Map<string, { readonly mayRead: boolean; readonly until: number }>()

  async of(question: readonly string[], now: Date, decide: () => Promise<boolean>): Promise<boolean> {
    const name = question.join(' ')
    const known = this.#verdicts.get(name)
    if (known !== undefined && known.until > now.getTime()) return known.mayRead
    const mayRead = await decide()
    this.#verdicts.delete(name)
    this.#forget(now.getTime())
    this.#verdicts.set(name, { mayRead, until: now.getTime() + rememberedMs })
    return mayRead
  }

  #forget(now: number): void {
    for (const [name, { until }] of this.#verdicts) {
      if (until > now && this.#verdicts.size < mostRemembered) return
      this.#verdicts.delete(name)
    }
  }
}
