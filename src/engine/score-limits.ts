/** The limits of scores and accuracies, with and without modifiers. */

export const modifierRules = ['any', 'none'] as const
export type ModifierRule = (typeof modifierRules)[number]

/**
 * The maximum accuracy. Positive modifiers raise a score above the map’s maximum, up to twice the maximum, so that an
 * accuracy is between 0 and 2. Where modifiers are not allowed, the maximum itself is the limit. (D62)
 */
export function accuracyLimit(modifiers: ModifierRule): 1 | 2 {
  return modifiers === 'none' ? 1 : 2
}

/** The highest possible score on a map; null where the maximum of the map is unknown. (D62) */
export function scoreLimit(maxScore: number | null, modifiers: ModifierRule): number | null {
  return maxScore === null ? null : maxScore * accuracyLimit(modifiers)
}
