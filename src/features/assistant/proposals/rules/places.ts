import { type Game, type Machine, openGame } from '../../../../engine/flows/machine.ts'
import { isPlayed, type Run } from '../../../../engine/flows/map-winner.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import type { PoolEntry, Row } from '../../../../engine/flows/rows.ts'
import type { PlayedMap } from '../types.ts'

/**
 * The position of a song in a session's log. Game and run are not enough: a level map starts again with run 1, and a
 * technical replay has the number of the repeated run. (match-flows: Who wins a map, and the match)
 */
export interface Place {
  readonly game: number
  readonly chain: number
  readonly run: number
  /** GUID of the map in the session's pool. */
  readonly map: string | null
  /** The number of the run's scores that technical replays removed. It tells replays of one run apart. */
  readonly takenOut: number
}

/** The run that waits for scores; null while no map is played. */
export function placeOf(machine: Machine): Place | null {
  const game = openGame(machine)
  const chain = game?.chains.at(-1)
  const run = chain?.runs.at(-1)
  if (game === null || chain === undefined || run === undefined) return null
  return { game: game.game, chain: chain.chain, run: run.run, map: game.map, takenOut: takenOutOf(run) }
}

function takenOutOf({ scores }: Run): number {
  return scores.filter(({ why }) => why === 'technical').length
}

/** The session's place at a time of the database clock; null if no row is that old or no map was played. */
export function placeAt(session: string, rows: readonly Row[], at: Date): Place | null {
  const before = rows.filter((row) => row.at <= at.getTime())
  return before.length === 0 ? null : placeOf(replay(session, before))
}

export interface Found {
  readonly game: Game
  readonly run: Run
}

/** The run at a place in the present log; null if the run was undone or another map has replaced its map. */
export function runAt(machine: Machine, place: Place): Found | null {
  const game = machine.games.find((each) => !each.isGone && each.game === place.game && each.map === place.map)
  const run = game?.chains[place.chain - 1]?.runs[place.run - 1]
  return game === undefined || run === undefined ? null : { game, run }
}

/** Whether the log has a result for the place: scores, a referee's decision, or a later run. */
export function hasResult(machine: Machine, place: Place): boolean {
  // A replaced map is final if another map was played instead. A map that was given up when the flow ended is not.
  const isGone = machine.games.some(
    (each) => each.isGone && each.isFinal && each.game === place.game && each.map === place.map,
  )
  const machineGame = machine.games.find((each) => !each.isGone && each.game === place.game)
  if (isGone || machineGame?.isFinal === true) return true
  const found = runAt(machine, place)
  if (found === null) return false
  const { game, run } = found
  const isFollowed = game.chains.length > place.chain || (game.chains[place.chain - 1]?.runs.length ?? 0) > place.run
  return isFollowed || isPlayed(run) || takenOutOf(run) > place.takenOut
}

/** The played map in the session's pool; null if the pool does not have it. */
export function mapInPool(machine: Machine, { poolMapGuid, ...played }: PlayedMap): PoolEntry | null {
  const same = ({ map }: PoolEntry) =>
    map.hash.toLowerCase() === played.hash &&
    map.characteristic === played.characteristic &&
    map.difficulty === played.difficulty
  return machine.pool.find(({ guid }) => guid === poolMapGuid) ?? machine.pool.find(same) ?? null
}

/** How the played map differs from the session's map; null if it is the same. (AS17) */
export function anotherMap(
  { machine, place }: { readonly machine: Machine; readonly place: Place },
  played: PlayedMap,
): 'wrong_map' | 'wrong_difficulty' | null {
  if (mapInPool(machine, played)?.guid === place.map) return null
  const wanted = machine.pool.find(({ guid }) => guid === place.map)
  return wanted?.map.hash.toLowerCase() === played.hash ? 'wrong_difficulty' : 'wrong_map'
}
