/** How far a score may go above what a map gives without modifiers. */

export const modifierRules = ['any', 'none'] as const
export type ModifierRule = (typeof modifierRules)[number]

/**
 * Positive modifiers raise a score above the map’s maximum: accuracy is 0 to 2, and a score at most twice the maximum. Where
 * modifiers are ruled out, the maximum itself is the limit. (D62)
 */
export function accuracyLimit(modifiers: ModifierRule): 1 | 2 {
  return modifiers === 'none' ? 1 : 2
}

/** The highest score that is possible on a map; null where its maximum is not known. (D62) */
export function scoreLimit(maxScore: number | null, modifiers: ModifierRule): number | null {
  return maxScore === null ? null : maxScore * accuracyLimit(modifiers)
}
