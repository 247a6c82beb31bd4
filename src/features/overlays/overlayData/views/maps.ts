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

/** Returns the view of a map that was reported with the result of a game. The pool may contain it. */
export function treeMapOf({ hash, difficulty, characteristic, name }: GameMap, pool: readonly PoolMap[]): TreeMap {
  const known = pool.find(
    ({ map }) =>
      map.hash === hash.toLowerCase() && map.difficulty === difficulty && map.characteristic === characteristic,
  )
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
