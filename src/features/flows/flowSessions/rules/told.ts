import { isDeepStrictEqual } from 'node:util'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { type Row, undoneBy } from '../../../../engine/flows/rows.ts'
import type { GamePlayer, StoredGame } from '../../../brackets/matches/types.ts'

/** Maps that were told by hand, as the log has them. (match-flows: Who wins a map, and the match, rule 5) */

/** Rows that nothing has taken back. */
export function standing(machine: Machine): readonly Row[] {
  const undone = undoneBy(machine.rows)
  return machine.rows.filter(({ position }) => !undone.has(position))
}

/** What is written of a map that was told. */
export function toldRow(machine: Machine, { number, scores, winner, detail }: StoredGame) {
  const map = machine.pool.find(({ map: { hash, difficulty, characteristic } }) => {
    const told = detail?.map
    return (
      told !== undefined &&
      told.hash.toLowerCase() === hash.toLowerCase() &&
      told.difficulty === difficulty &&
      told.characteristic === characteristic
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

/** Whether the log has the map as it was told last. */
export function isAsTold(machine: Machine, game: StoredGame): boolean {
  const row = rowOf(machine, game.number)
  if (row === undefined) return false
  const { map, data } = toldRow(machine, game)
  const { correction: _, ...told } = row.data
  return row.map === map && isDeepStrictEqual(told, data)
}

/** The map as the log has it: what was told later of it may have been taken back. */
export function toldGame(machine: Machine, number: number): StoredGame | null {
  const row = rowOf(machine, number)
  if (row === undefined) return null
  const { winner, totals } = row.data
  // As `toldRow` wrote them.
  const players = (row.data.scores ?? []) as readonly GamePlayer[]
  const entry = machine.pool.find(({ guid }) => guid === row.map)
  const { hash, difficulty, characteristic, name } = entry?.map ?? {}
  const isKnown = hash !== undefined && difficulty !== undefined && characteristic !== undefined
  return {
    ...{
      number,
      scores: [totals[0] ?? null, totals[1] ?? null],
      winner: winner === null ? null : winner === 1 ? 0 : 1,
    },
    detail: {
      ...(isKnown ? { map: { hash, difficulty, characteristic, ...(name == null ? {} : { name }) } } : {}),
      sides: [{}, {}],
      ...(players.length === 0 ? {} : { players }),
    },
  }
}
