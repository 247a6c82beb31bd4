import type { Test } from '../conditions.ts'

/** Tests that the built-in scenes share. */

/** Whether a game of a list was won by the side that is shown first (0) or second (1), and will not change. */
export const wonBy = (side: 0 | 1): Test => heldBy(side, false)

/**
 * Whether the side that is shown first (0) or second (1) holds a game of a list.
 * @param provisional whether it may still lose the game
 */
export function heldBy(side: 0 | 1, provisional: boolean): Test {
  return {
    any: ([1, 2] as const).map((number) => ({
      all: [
        { path: `sides.${side}.number`, op: 'eq', value: number },
        { path: 'item.winner', op: 'eq', value: number },
        { path: 'item.provisional', op: 'eq', value: provisional },
      ],
    })),
  }
}

/** Shows an element only while the test holds. */
export function onlyIf(when: Test) {
  return { visible: false, conditions: { shown: { when, set: { visible: true } } } } as const
}
