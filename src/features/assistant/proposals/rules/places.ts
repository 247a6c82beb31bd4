import { type Game, type Machine, openGame } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import type { PoolEntry, Row } from '../../../../engine/flows/rows.ts'
import { isPlayed, type Run } from '../../../../engine/flows/winning.ts'
import type { PlayedMap } from '../types.ts'

/**
 * Where in the log of a session a song was played: numbers of game and run alone do not tell, since a level map begins
 * again with run 1, and a technical replay has the run that it repeats. (match-flows: Who wins a map, and the match)
 */
export interface Place {
  readonly game: number
  readonly chain: number
  readonly run: number
  /** In the session's pool. */
  readonly map: string | null
  /** How many scores of the run were taken out by technical replays: each is a playing of its own. */
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

/** Where the session stood at an instant, by the clock of the database; null where nothing was played then. */
export function placeAt(session: string, rows: readonly Row[], at: Date): Place | null {
  const before = rows.filter((row) => row.at <= at.getTime())
  return before.length === 0 ? null : placeOf(replay(session, before))
}

export interface Found {
  readonly game: Game
  readonly run: Run
}

/** The run at a place, as the log has it now; null where it was taken back, or another map is in its place. */
export function runAt(machine: Machine, place: Place): Found | null {
  const game = machine.games.find((each) => !each.isGone && each.game === place.game && each.map === place.map)
  const run = game?.chains[place.chain - 1]?.runs[place.run - 1]
  return game === undefined || run === undefined ? null : { game, run }
}

/** Whether the log has a result of what was played there: its scores, a word of a referee, or a playing after it. */
export function hasResult(machine: Machine, place: Place): boolean {
  // A map in whose place another was played is final; one that was given up when the flow was ended is not.
  const isGone = machine.games.some(
    (each) => each.isGone && each.isFinal && each.game === place.game && each.map === place.map,
  )
  const told = machine.games.find((each) => !each.isGone && each.game === place.game)
  if (isGone || told?.isFinal === true) return true
  const found = runAt(machine, place)
  if (found === null) return false
  const { game, run } = found
  const isFollowed = game.chains.length > place.chain || (game.chains[place.chain - 1]?.runs.length ?? 0) > place.run
  return isFollowed || isPlayed(run) || takenOutOf(run) > place.takenOut
}

/** Which map of the session's pool was played; null where it is none of them. */
export function mapInPool(machine: Machine, { poolMapGuid, ...played }: PlayedMap): PoolEntry | null {
  const same = ({ map }: PoolEntry) =>
    map.hash.toLowerCase() === played.hash &&
    map.characteristic === played.characteristic &&
    map.difficulty === played.difficulty
  return machine.pool.find(({ guid }) => guid === poolMapGuid) ?? machine.pool.find(same) ?? null
}

/** How the map that was played differs from the one that the session was at; null where it does not. (AS17) */
export function anotherMap(
  { machine, place }: { readonly machine: Machine; readonly place: Place },
  played: PlayedMap,
): 'wrong_map' | 'wrong_difficulty' | null {
  if (mapInPool(machine, played)?.guid === place.map) return null
  const wanted = machine.pool.find(({ guid }) => guid === place.map)
  return wanted?.map.hash.toLowerCase() === played.hash ? 'wrong_difficulty' : 'wrong_map'
}
