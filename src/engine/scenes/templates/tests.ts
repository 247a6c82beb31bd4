import type { Test } from '../conditions.ts'
import type { SceneElement } from '../document.ts'

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

/** A condition that shows the element only while the test holds. It is drawn by others until then. */
export function onlyIf(when: Test): NonNullable<SceneElement['conditions']> {
  return {
    a: { when: anything, set: { visible: false } },
    b: { when, set: { visible: true } },
  }
}

/** Always holds. */
const anything: Test = { path: 'time', op: 'exists' }
