import type { Answer, CatalogueMap, MapIdentity } from '../types.ts'
import { isSame } from './identities.ts'
import { askAgainAt } from './memory.ts'

/** The data about a map that an answer gives. null means unknown, and overwrites nothing. */
export interface MapFacts extends Omit<CatalogueMap, 'guid' | 'requirements'> {
  readonly requirements: CatalogueMap['requirements'] | null
  readonly askedInVain: number
  readonly askAgainAt: Date | null
}

const nothing = {
  key: null,
  name: null,
  subName: null,
  artist: null,
  mapper: null,
  imageUrl: null,
  previewUrl: null,
  bpm: null,
  njs: null,
  nps: null,
  durationSeconds: null,
  notes: null,
  bombs: null,
  obstacles: null,
  maxScore: null,
  starsA: null,
  starsB: null,
  rankedA: null,
  rankedB: null,
  requirements: null,
  ai: null,
  uploadedAt: null,
  checkedAt: null,
  currentHash: null,
  askedInVain: 0,
  askAgainAt: null,
}

/**
 * Derives the state of a map from an answer. `known`: the catalogue publishes this version; the facts contain all its
 * data. `outdated`: it publishes another version; the facts contain the song's data, but nothing about the difficulty.
 * `missing`: it has no such map, or its published version lacks the difficulty. `unresolved`: it did not answer, and
 * will be asked again. (pools: The catalogue connector; pools: Version watch)
 */
export function mapFacts(identity: MapIdentity, answer: Answer, now: Date): MapFacts {
  const { hash, characteristic, difficulty } = identity
  const own = { ...nothing, hash, characteristic, difficulty }
  if (answer.outcome === 'unreachable') {
    return { ...own, state: 'unresolved', askedInVain: 1, askAgainAt: askAgainAt(1, now) }
  }
  const checkedAt = answer.answeredAt
  if (answer.outcome === 'unknown') return { ...own, checkedAt, state: 'missing' }
  const { hash: currentHash, difficulties, uploadedAt, ...song } = answer.song
  const ofSong = { ...own, ...song, uploadedAt: uploadedAt === null ? null : new Date(uploadedAt), checkedAt }
  if (currentHash !== hash) return { ...ofSong, state: 'outdated', currentHash }
  const found = difficulties.find((one) => one.difficulty === difficulty && isSame(one.characteristic, characteristic))
  return found === undefined ? { ...ofSong, state: 'missing' } : { ...ofSong, ...found, state: 'known' }
}

/**
 * Reduces an answer to what all tournaments may see of a map. An answer by a key that a playlist gave counts as
 * unknown, unless the catalogue itself gave the map this key or publishes this version under it: the author of a
 * playlist must not change what others see. (D71)
 */
export function sharedAnswer({ hash }: MapIdentity, answer: Answer, before: CatalogueMap | undefined): Answer {
  if (answer.outcome === 'unreachable' || answer.byKey === undefined) return answer
  const { key, hashAnsweredAt } = answer.byKey
  if (key === before?.key || (answer.outcome === 'found' && answer.song.hash === hash)) return answer
  return { outcome: 'unknown', answeredAt: hashAnsweredAt }
}

/** Keeps the map's names unless the answer is for its own hash: the song of its key may have other names. (D71) */
export function keptNames(facts: MapFacts, answer: Answer, before: CatalogueMap | undefined): MapFacts {
  const isOfHash = answer.outcome === 'found' && answer.byKey === undefined
  if (before === undefined || isOfHash) return facts
  const { key, name, mapper } = facts
  return {
    ...facts,
    key: before.key === null ? key : null,
    name: before.name === null ? name : null,
    mapper: before.mapper === null ? mapper : null,
  }
}

/**
 * An answer that the hash is unknown does not change a map that is outdated by its key, unless the catalogue was also
 * asked for the key. (D71)
 */
export function isLessThanKnown(answer: Answer, before: CatalogueMap | undefined): boolean {
  const isByHash = answer.outcome === 'unknown' && answer.byKey === undefined
  return isByHash && before?.state === 'outdated' && before.key !== null
}

/** Whether an answer contains something new about a map. */
export function containsMore(facts: MapFacts, before: CatalogueMap | undefined): boolean {
  if (before === undefined) return true
  if (facts.checkedAt === null) return false
  if (before.checkedAt === null || before.checkedAt < facts.checkedAt) return true
  const isEqual = before.state === facts.state && before.currentHash === facts.currentHash
  return before.checkedAt.getTime() === facts.checkedAt.getTime() && !isEqual
}

/** Whether a map looks different now, apart from the time of the last answer. */
export function readsDifferently(before: CatalogueMap, after: CatalogueMap): boolean {
  const shown = ({ checkedAt: _, ...map }: CatalogueMap) => JSON.stringify(Object.entries(map).toSorted())
  return shown(before) !== shown(after)
}
