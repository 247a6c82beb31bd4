/**
 * Scripted faults between the server and its sockets. A fault affects packets in one direction, of one kind or of any
 * kind: the n-th of them or all, until the returned function removes it.
 */

export interface Which {
  /** The direction from the server's view. */
  readonly direction: 'received' | 'sent'
  /** The kind as returned by `kindOf`; all kinds by default. */
  readonly kind?: string | RegExp
  /** Counts from 1; all packets by default. */
  readonly nth?: number
  /** GUID of the connection. */
  readonly connection?: string
}

/**
 * - `drop`: the packet is lost
 * - `duplicate`: the packet comes twice
 * - `reorder`: the packet comes after the next one
 * - `cutBefore`: the connection ends instead; a received packet is not handled
 * - `cutWithin`: the connection ends after half of the packet; only for sent packets
 * - `cutAfter`: the connection ends after the packet; a received one has been handled, but its answers may be lost
 * - `delayMs`: the packet comes late, and others overtake it
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
  /** @returns a function that removes the fault */
  add(which: Which, effect: Effect): () => void
  /** The delay of all sent packets, which stay in order. */
  latencyMs: number
  /** All current connections stay open, but nothing is sent or handled any more, not even the answer to a ping. */
  halfOpen(): void
  /** Sends bytes that are no packet to everybody. */
  garbage(): void
  /** Sends a text frame to everybody. */
  text(): void
  /** Sends one packet of so many bytes to everybody. */
  oversize(bytes: number): void
  /** Sends packets that only a newer server has: an unknown case, field and enum value. */
  unknown(): void
  /** Makes every connected player download for so long. */
  slowLoads(ms: number): void
  /** Terminates all sockets. */
  cutAll(): void
  /** Tells everybody that the token is bad. */
  unauthorise(): void
  /** Removes all faults and the latency. */
  clear(): void
}

interface Rule {
  readonly which: Which
  readonly effect: Effect
  count: number
}

/** The current faults. */
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

  /** The effect on a packet; of several faults, the latest one counts. */
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
