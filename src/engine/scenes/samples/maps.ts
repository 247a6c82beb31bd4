import type { DataTree, TreeGame, TreePickBan, TreePoolMap } from '../tree.ts'
import { mapOf, type PictureOf } from './people.ts'

/** The maps of a sample: the pool with the state of each map, and the maps that were played. */

/** @param done number of picks and bans so far, at most eight */
export function pool(pictures: PictureOf, done: number): Pick<DataTree, 'pool' | 'pickBans'> {
  const all = Array.from({ length: 11 }, (_, index) => mapOf(index, pictures))
  const steps = [
    ['ban', 1, 9],
    ['ban', 2, 4],
    ['pick', 1, 0],
    ['ban', 2, 6],
    ['pick', 2, 1],
    ['ban', 1, 7],
    ['pick', 1, 2],
    ['pick', 2, 3],
  ] as const
  const pickBans = steps
    .slice(0, done)
    .map(([action, side, index], at): TreePickBan => ({ number: at + 1, action, side, map: all[index] ?? null }))
  const maps = all.map((map): TreePoolMap => {
    const step = pickBans.find((each) => each.map === map)
    const isLast = map === all.at(-1)
    const state = step === undefined ? (isLast ? 'tiebreaker' : 'free') : step.action === 'ban' ? 'banned' : 'picked'
    const winners: Readonly<Record<number, 1 | 2>> = { 0: 1, 1: 2, 2: 1 }
    const winner = done === 8 ? (winners[all.indexOf(map)] ?? null) : null
    return { ...map, state, side: step?.side ?? null, winner, isTiebreaker: isLast }
  })
  return { pickBans, pool: { name: 'Semi-finals', maps } }
}

export function game(
  number: number,
  map: number,
  pictures: PictureOf,
  accuracies: readonly [number, number],
  winner: 1 | 2,
  pickedBy: 1 | 2 = winner,
): TreeGame {
  const played = mapOf(map, pictures)
  return {
    number,
    map: played,
    pickedBy,
    isTiebreaker: false,
    phase: 'final',
    provisional: false,
    winner,
    because: 'score',
    run: 1,
    scoreToBeat: null,
    sides: accuracies.map((accuracy) => ({ accuracy, score: Math.round(accuracy * (played.maxScore ?? 0)) })),
  }
}

/** A game that is being played. */
export function openGame(number: number, map: number, pictures: PictureOf, pickedBy: 1 | 2): TreeGame {
  const none = { score: null, accuracy: null }
  return {
    ...game(number, map, pictures, [0, 0], 1, pickedBy),
    phase: 'playing',
    winner: null,
    because: null,
    sides: [none, none],
  }
}
