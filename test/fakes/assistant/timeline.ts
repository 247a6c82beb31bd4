/** Actions at set times, on a clock that can be paused. It starts paused. */
export class Timeline {
  readonly #steps: { readonly at: number; readonly act: () => void }[] = []
  #elapsed = 0
  #resumedAt: number | null = null
  #timer: NodeJS.Timeout | undefined

  /** @param at milliseconds of its clock; actions with equal times run in the order in which they were added */
  add(at: number, act: () => void): void {
    this.#steps.push({ at, act })
    this.#steps.sort((a, b) => a.at - b.at)
  }

  resume(): void {
    if (this.#resumedAt !== null) return
    this.#resumedAt = performance.now()
    this.#await()
  }

  pause(): void {
    if (this.#resumedAt === null) return
    clearTimeout(this.#timer)
    this.#elapsed += performance.now() - this.#resumedAt
    this.#resumedAt = null
  }

  /** Stops for good. */
  stop(): void {
    this.pause()
    this.#steps.length = 0
  }

  #await(): void {
    const next = this.#steps[0]
    if (next === undefined || this.#resumedAt === null) return
    const passed = this.#elapsed + performance.now() - this.#resumedAt
    this.#timer = setTimeout(
      () => {
        this.#steps.shift()
        next.act()
        this.#await()
      },
      Math.max(0, next.at - passed),
    )
  }
}
