import type { DataTree, TreeMatch } from '../tree.ts'
import { guidOf, instant, type PictureOf, playerOf, teamOf } from './people.ts'

/** The other matches and the tables of a sample. */

export function side(index: number, pictures: PictureOf): TreeMatch['sides'][number] {
  const { name, imageUrl } = teamOf(index, pictures)
  return { name, imageUrl, placeholder: null, score: null, isWinner: false }
}

export function open(placeholder: string): TreeMatch['sides'][number] {
  return { name: null, imageUrl: null, placeholder, score: null, isWinner: false }
}

export function matchOf(
  number: number,
  one: number,
  other: number,
  scores: readonly [number, number] | null,
  now: number,
  minutes: number,
  pictures: PictureOf,
): TreeMatch {
  const sides = [one, other].map((index, at) => ({
    ...side(index, pictures),
    score: scores?.[at] ?? null,
    isWinner: scores !== null && scores[at] === Math.max(...scores),
  }))
  const status = scores === null ? 'ready' : 'completed'
  return {
    guid: guidOf(4, number),
    number,
    label: 'Upper bracket · Quarter-final',
    status,
    scheduledAt: instant(now, minutes),
    sides,
  }
}

export function rows(count: number, pictures: PictureOf, isQualifier: boolean): DataTree['standings'] {
  return Array.from({ length: count }, (_, index) => {
    const { name, imageUrl } = isQualifier
      ? { name: playerOf(index, pictures).name, imageUrl: playerOf(index, pictures).avatarUrl }
      : teamOf(index, pictures)
    const won = Math.max(0, 9 - index)
    return {
      rank: index + 1,
      name,
      imageUrl,
      played: isQualifier ? 6 : 9,
      won: isQualifier ? null : won,
      lost: isQualifier ? null : 9 - won,
      points: isQualifier ? null : won * 3,
      value: isQualifier ? 0.9811 - index * 0.0063 : 21 - index * 4,
      isQualified: index < 4 ? true : index >= 8 ? false : null,
    }
  })
}

/** The matches of the winner, the last one first. */
export function roadOf(now: number, pictures: PictureOf): TreeMatch[] {
  const steps = [
    ['Grand final', 1, [4, 3]],
    ['Upper final', 6, [3, 1]],
    ['Upper semi-finals', 2, [3, 2]],
    ['Upper round 2', 5, [3, 0]],
    ['Upper round 1', 9, [3, 0]],
  ] as const
  return steps.map(([label, other, scores], index) => ({
    ...matchOf(36 - index * 5, 0, other, scores, now, -20 - index * 70, pictures),
    label: `Playoffs · ${label}`,
  }))
}
