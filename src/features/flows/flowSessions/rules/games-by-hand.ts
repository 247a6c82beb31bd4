import { isDeepStrictEqual } from 'node:util'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { type Row, undoneBy } from '../../../../engine/flows/rows.ts'
import type { GamePlayer, StoredGame } from '../../../brackets/matches/types.ts'

/** The log's rows for games that were reported by hand. (match-flows: Who wins a map, and the match, rule 5) */

/** The rows that are not undone. */
export function standing(machine: Machine): readonly Row[] {
  const undone = undoneBy(machine.rows)
  return machine.rows.filter(({ position }) => !undone.has(position))
}

/** The row of a game that was reported by hand. */
export function reportedRow(machine: Machine, { number, scores, winner, detail }: StoredGame) {
  const map = machine.pool.find(({ map: { hash, difficulty, characteristic } }) => {
    const reported = detail?.map
    return (
      reported !== undefined &&
      reported.hash.toLowerCase() === hash.toLowerCase() &&
      reported.difficulty === difficulty &&
      reported.characteristic === characteristic
    )
  })
  const players = detail?.players ?? []
  return {
    kind: 'map_told' as const,
    map: map?.guid ?? machine.games.find((game) => game.game === number)?.map ?? null,
    data: { game: number, winner: winner === null ? null : winner + 1, totals: [...scores], scores: players },
  }
}

function rowOf(machine: Machine, number: number) {
  return standing(machine)
    .filter((row) => row.kind === 'map_told')
    .findLast(({ data }) => data.game === number)
}

/** Whether the log has the game as it was last reported. */
export function isAsReported(machine: Machine, game: StoredGame): boolean {
  const row = rowOf(machine, game.number)
  if (row === undefined) return false
  const { map, data } = reportedRow(machine, game)
  const { correction: _, ...reported } = row.data
  return row.map === map && isDeepStrictEqual(reported, data)
}

/** The newest report of the game that is not undone; null if there is none. */
export function reportedGame(machine: Machine, number: number): StoredGame | null {
  const row = rowOf(machine, number)
  if (row === undefined) return null
  const { winner, totals } = row.data
  // Scores in the form that `reportedRow` wrote.
  const players = (row.data.scores ?? []) as readonly GamePlayer[]
  const entry = machine.pool.find(({ guid }) => guid === row.map)
  const { hash, difficulty, characteristic, name } = entry?.map ?? {}
  const isKnown = hash !== undefined && difficulty !== undefined && characteristic !== undefined
  return {
    number,
    scores: [totals[0] ?? null, totals[1] ?? null],
    winner: winner === null ? null : winner === 1 ? 0 : 1,
    detail: {
      ...(isKnown ? { map: { hash, difficulty, characteristic, ...(name == null ? {} : { name }) } } : {}),
      sides: [{}, {}],
      ...(players.length === 0 ? {} : { players }),
    },
  }
}
