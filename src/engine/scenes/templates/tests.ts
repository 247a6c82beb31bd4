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

const empty = (path: string): Test => ({ path, op: 'empty' })
const has = (path: string): Test => ({ path, op: 'exists' })

/** No player is known of either side, so there is nobody to watch. */
export const hasNoPlayers: Test = { all: [empty('sides.0.players'), empty('sides.1.players')] }

/** Players are known, and no map of theirs yet. */
export const hasNoMap: Test = {
  all: [{ any: [has('sides.0.players.0'), has('sides.1.players.0')] }, empty('map'), empty('games'), empty('live')],
}

/** Hides an element while the test holds. */
export function unless(when: Test) {
  return { conditions: { otherwise: { when, set: { visible: false } } } } as const
}

/** Shows an element only while the test holds. */
export function onlyIf(when: Test) {
  return { visible: false, conditions: { shown: { when, set: { visible: true } } } } as const
}
