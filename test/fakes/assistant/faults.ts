/**
 * What goes wrong by script between the server and its sockets. A fault acts on packets that go one way, of one kind or of
 * any, on the n-th of them after it was set or on each, until the function that set it is taken back.
 */

export interface Which {
  /** As the server sees it. */
  readonly direction: 'received' | 'sent'
  /** As `kindOf` names it; every kind, where it is not given. */
  readonly kind?: string | RegExp
  /** From 1; each of them, where it is not given. */
  readonly nth?: number
  /** GUID of the connection. */
  readonly connection?: string
}

/**
 * - `drop`: it never was
 * - `duplicate`: it comes twice
 * - `reorder`: it comes after the next one
 * - `cutBefore`: the connection ends instead of it; one that was received is not acted upon
 * - `cutWithin`: the connection ends when half of it has come; of those that are sent
 * - `cutAfter`: the connection ends with it; one that was received has been acted upon, and its answers may be lost
 * - `delayMs`: it comes late, and others overtake it
 */
export type Effect =
  | 'drop'
  | 'duplicate'
  | 'reorder'
  | 'cutBefore'
  | 'cutWithin'
  | 'cutAfter'
  | { readonly delayMs: number }

export interface Faults {
  /** @returns what takes it back */
  add(which: Which, effect: Effect): () => void
  /** How long everything takes that is sent; in order. */
  latencyMs: number
  /** What is connected now stays so, but nothing comes from it or is heard any more, not even an answer to a ping. */
  halfOpen(): void
  /** Bytes that are no packet, to everybody. */
  garbage(): void
  /** A text frame, to everybody. */
  text(): void
  /** One packet of so many bytes, to everybody. */
  oversize(bytes: number): void
  /** Packets that only a newer server knows: another case, another field, another enum value. */
  unknown(): void
  /** Has every player that is there download for so long. */
  slowLoads(ms: number): void
  /** Ends every socket at once, without a word. */
  cutAll(): void
  /** Says that the token is bad, to everybody. */
  unauthorise(): void
  /** Takes back all that was added, and the latency. */
  clear(): void
}

interface Rule {
  readonly which: Which
  readonly effect: Effect
  count: number
}

/** Which faults are set. */
export class Rules {
  readonly #rules: Rule[] = []

  add(which: Which, effect: Effect): () => void {
    const rule = { which, effect, count: 0 }
    this.#rules.push(rule)
    return () => {
      const index = this.#rules.indexOf(rule)
      if (index !== -1) this.#rules.splice(index, 1)
    }
  }

  clear(): void {
    this.#rules.length = 0
  }

  /** What happens to a packet: of several that fit, the one set last. */
  effectOn(direction: Which['direction'], connection: string, kind: string): Effect | undefined {
    let effect: Effect | undefined
    for (const rule of this.#rules) {
      const { which } = rule
      if (which.direction !== direction || (which.connection ?? connection) !== connection) continue
      if (!fits(kind, which.kind)) continue
      rule.count++
      if (which.nth === undefined || which.nth === rule.count) effect = rule.effect
    }
    return effect
  }
}

function fits(kind: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true
  return typeof wanted === 'string' ? wanted === kind : wanted.test(kind)
}
