/**
 * Computes sums, lead and share from the players' scores. Live pages and proposals both use this module, so that they
 * show the same numbers. (AS15)
 */

export interface PlayerScore {
  readonly side: 1 | 2
  /** null while it is unknown. */
  readonly score: number | null
  readonly accuracy?: number | null
  readonly misses?: number | null
  readonly completion?: string | null
}

export interface SideSums {
  readonly score: number
  /** The mean of the known accuracies; null if none is known. */
  readonly accuracy: number | null
  /** null if none is known. */
  readonly misses: number | null
}

export interface Derived {
  readonly sides: readonly [SideSums, SideSums]
  /** The leading side and its distance; null if both sides have the same score. */
  readonly lead: { readonly side: 1 | 2; readonly score: number; readonly accuracy: number | null } | null
  /** The first side's share of all points, 0 to 1; 0.5 without points. */
  readonly share: number
}

/** Computes both sides. A player who quit counts 0, and a side without players has 0. (AS18) */
export function derive(players: readonly PlayerScore[]): Derived {
  const first = sumsOf(players.filter(({ side }) => side === 1))
  const second = sumsOf(players.filter(({ side }) => side === 2))
  const total = first.score + second.score
  return { sides: [first, second], lead: leadOf(first, second), share: total > 0 ? first.score / total : 0.5 }
}

function sumsOf(players: readonly PlayerScore[]): SideSums {
  const accuracies = players.flatMap(({ accuracy }) => accuracy ?? [])
  const misses = players.flatMap(({ misses: missed }) => missed ?? [])
  return {
    score: sum(players.map(countedScore)),
    accuracy: accuracies.length === 0 ? null : sum(accuracies) / accuracies.length,
    misses: misses.length === 0 ? null : sum(misses),
  }
}

function countedScore({ score, completion }: PlayerScore): number {
  return completion === 'quit' ? 0 : (score ?? 0)
}

function leadOf(first: SideSums, second: SideSums): Derived['lead'] {
  if (first.score === second.score) return null
  const [side, ahead, behind] = first.score > second.score ? [1 as const, first, second] : [2 as const, second, first]
  const isKnown = ahead.accuracy !== null && behind.accuracy !== null
  return {
    side,
    score: ahead.score - behind.score,
    accuracy: isKnown ? (ahead.accuracy ?? 0) - (behind.accuracy ?? 0) : null,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
