import type { TreeMap } from '../../../../engine/scenes/tree.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import type { StateView } from '../../../flows/flowSessions/views/state.ts'

/** A map of a pool as everybody sees it. */
export type PoolMap = NonNullable<StateView['pool']>['maps'][number]

export function treeMap({ map, flair, modifiers }: PoolMap): TreeMap {
  const { guid, hash, key, name, subName, artist, mapper, imageUrl, characteristic, difficulty } = map
  const { bpm, njs, nps, durationSeconds, notes, maxScore, starsA, starsB } = map
  return {
    guid,
    hash,
    key,
    name,
    subName,
    artist,
    mapper,
    imageUrl,
    characteristic,
    difficulty,
    bpm,
    njs,
    nps,
    durationSeconds,
    notes,
    maxScore,
    starsA,
    starsB,
    flair: flair === null ? null : { name: flair.name, color: flair.color, icon: flair.icon },
    modifiers: [...modifiers],
  }
}

type GameMap = NonNullable<MatchView['games'][number]['map']>

export function poolMapOf(
  { hash, difficulty, characteristic }: GameMap,
  pool: readonly PoolMap[],
): PoolMap | undefined {
  return pool.find(
    ({ map }) =>
      map.hash === hash.toLowerCase() && map.difficulty === difficulty && map.characteristic === characteristic,
  )
}

/** Returns the view of a map that was reported with the result of a game. The pool may contain it. */
export function treeMapOf(told: GameMap, pool: readonly PoolMap[]): TreeMap {
  const { hash, difficulty, characteristic, name } = told
  const known = poolMapOf(told, pool)
  if (known !== undefined) return treeMap(known)
  const unknown = { guid: null, key: null, subName: null, artist: null, mapper: null, imageUrl: null }
  const figures = { bpm: null, njs: null, nps: null, durationSeconds: null, notes: null, maxScore: null }
  return {
    ...unknown,
    ...figures,
    hash,
    difficulty,
    characteristic,
    name: name ?? null,
    starsA: null,
    starsB: null,
    flair: null,
    modifiers: [],
  }
}
