import type { Answer, CatalogueMap, MapIdentity } from '../types.ts'
import { isSame } from './identities.ts'
import { askAgainAt } from './memory.ts'

/** What an answer makes of a map. null in a member stands for what is not known, and takes nothing away. */
export interface MapFacts extends Omit<CatalogueMap, 'guid' | 'requirements'> {
  readonly requirements: CatalogueMap['requirements'] | null
  readonly askedInVain: number
  readonly askAgainAt: Date | null
}

const nothing = {
  ...{ key: null, name: null, subName: null, artist: null, mapper: null, imageUrl: null, previewUrl: null },
  ...{ bpm: null, njs: null, nps: null, durationSeconds: null, notes: null, bombs: null, obstacles: null },
  ...{ maxScore: null, starsA: null, starsB: null, rankedA: null, rankedB: null, requirements: null, ai: null },
  ...{ uploadedAt: null, checkedAt: null, currentHash: null, askedInVain: 0, askAgainAt: null },
}

/**
 * The catalogue publishes this version: `known`, with all that it says. It publishes another one: `outdated`, with what
 * it says of the song, but nothing of another version's difficulty. It has no such map: `missing`; also where the version
 * that it publishes lacks the difficulty. It does not answer: `unresolved`, and is asked again.
 * (pools: The catalogue connector; pools: Version watch)
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
 * What an answer says of the map of all tournaments. A key that a playlist named leads nowhere for it, unless the catalogue itself
 * gave the map this key, or publishes this very version under it: whoever writes a playlist must not change what others see. (D71)
 */
export function sharedAnswer({ hash }: MapIdentity, answer: Answer, before: CatalogueMap | undefined): Answer {
  if (answer.outcome === 'unreachable' || answer.byKey === undefined) return answer
  const { key, hashAnsweredAt } = answer.byKey
  if (key === before?.key || (answer.outcome === 'found' && answer.song.hash === hash)) return answer
  return { outcome: 'unknown', answeredAt: hashAnsweredAt }
}

/** What a map is called stays while the catalogue does not know its hash: the song that its key leads to may have other names. (D71) */
export function keptNames(facts: MapFacts, answer: Answer, before: CatalogueMap | undefined): MapFacts {
  const isOfHash = answer.outcome === 'found' && answer.byKey === undefined
  if (before === undefined || isOfHash) return facts
  const { key, name, mapper } = facts
  return {
    ...facts,
    ...{ key: before.key === null ? key : null, name: before.name === null ? name : null },
    mapper: before.mapper === null ? mapper : null,
  }
}

/** That the catalogue has lost a hash says nothing of a map that is outdated by its key, as long as that is not asked for. (D71) */
export function isLessThanKnown(answer: Answer, before: CatalogueMap | undefined): boolean {
  const isByHash = answer.outcome === 'unknown' && answer.byKey === undefined
  return isByHash && before?.state === 'outdated' && before.key !== null
}

/** Whether an answer says anything about a map that is not known of it already. */
export function tellsMore(facts: MapFacts, before: CatalogueMap | undefined): boolean {
  if (before === undefined) return true
  if (facts.checkedAt === null) return false
  if (before.checkedAt === null || before.checkedAt < facts.checkedAt) return true
  const isEqual = before.state === facts.state && before.currentHash === facts.currentHash
  return before.checkedAt.getTime() === facts.checkedAt.getTime() && !isEqual
}

/** Whether a map reads differently now, but for the time of the last answer. */
export function readsDifferently(before: CatalogueMap, after: CatalogueMap): boolean {
  const shown = ({ checkedAt: _, ...map }: CatalogueMap) => JSON.stringify(Object.entries(map).toSorted())
  return shown(before) !== shown(after)
}
