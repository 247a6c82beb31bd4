import { scoreLimit } from '../score-limits.ts'
import { finalGames, type Machine, openGame, seatNumbers, seatOf } from './machine.ts'
import { pointsOf, scoresOf, standingOf, sumsOf, winsNeeded, winsOf } from './outcomes.ts'
import type { Needs, Ranked } from './state-types.ts'

/** What seats still need to win, and the ranking at the end. */

export function needsOf(machine: Machine, wins: readonly number[]): Needs {
  const needed = winsNeeded(machine)
  if (needed !== null) return { kind: 'maps', bySeat: wins.map((count) => Math.max(0, needed - count)) }
  const { play, decide } = machine.flow.rules
  if (play.mode !== 'play_all' || decide !== 'score_sum') return null
  const scores = standingOf(machine)
  const top = Math.max(...scores)
  const mostPossible = mostPossibleOf(machine, play.maps)
  const second = [...scores].sort((one, other) => other - one)[1] ?? 0
  const leader = scores.indexOf(top) + 1
  const isClinched = mostPossible !== null && top - second > mostPossible
  return {
    kind: 'score',
    mostPossible,
    behind: scores.map((score) => top - score),
    clinched: isClinched ? leader : null,
  }
}

/**
 * The most that a seat can still gain: the highest possible scores of the maps to come, with positive modifiers where
 * the flow allows them. null if a map or its highest score is unknown. (D85)
 */
export function mostPossibleOf(machine: Machine, maps: number): number | null {
  const { by, team, top, players } = machine.flow.rules.map
  if (by !== 'score') return null
  const queued = machine.order.filter(({ isPlayed }) => !isPlayed).map(({ map }) => map)
  const open = openGame(machine)
  const toCome = [...(open?.map == null ? [] : [open.map]), ...queued]
  if (toCome.length < maps - finalGames(machine).length) return null
  const size = players ?? Math.max(1, ...seatNumbers(machine).map((seat) => seatOf(machine, seat).lineup?.length ?? 1))
  const times = team === 'mean' ? 1 : team === 'top' ? Math.min(top ?? size, size) : size
  let sum = 0
  for (const guid of toCome) {
    const highest = scoreLimit(
      machine.maps.get(guid)?.entry.map.maxScore ?? null,
      machine.flow.rules.modifiers ?? 'any',
    )
    if (highest === null) return null
    sum += highest * times
  }
  return sum
}

/**
 * The ranking by points, total score and maps won. Seats that are equal in all three share a place. (match-flows: FFA)
 */
export function rankingOf(machine: Machine): readonly Ranked[] {
  const [points, scores, wins] = [pointsOf(machine), scoresOf(machine), winsOf(machine)]
  const sums = sumsOf(machine)
  const keyOf = (seat: number) => [points[seat - 1] ?? 0, sums[seat - 1] ?? 0, wins[seat - 1] ?? 0] as const
  const isBetter = (one: number, other: number) => {
    const [first, second] = [keyOf(one), keyOf(other)]
    const differing = first.findIndex((value, index) => value !== second[index])
    return differing !== -1 && (first[differing] ?? 0) > (second[differing] ?? 0)
  }
  const numbers = seatNumbers(machine)
  const ranked = numbers.map((seat) => ({
    place: numbers.filter((other) => isBetter(other, seat)).length + 1,
    seat,
    points: points[seat - 1] ?? 0,
    score: scores[seat - 1] ?? 0,
    wins: wins[seat - 1] ?? 0,
  }))
  const { eliminate } = machine.flow.rules
  return ranked
    .toSorted((one, other) => one.place - other.place || one.seat - other.seat)
    .map((row) => ({ ...row, out: row.place > numbers.length - eliminate }))
}
