import { isDeepStrictEqual } from 'node:util'
import { normaliseGuid } from '../../../../core/ids.ts'
import { readNameOrNone } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { QualifierMap } from '../types.ts'

/** The maximum of maps in a qualifier. */
export const maxMaps = 50

/** A map in the request. */
export interface MapInput {
  readonly guid?: string
  readonly hash: string
  readonly difficulty: string
  readonly characteristic?: string
  readonly name?: string | null
  readonly artist?: string | null
  readonly mapper?: string | null
  readonly imageUrl?: string | null
  readonly maxScore?: number | null
  readonly weight?: number
  readonly order?: number
}

/** A map without a GUID gets one. */
export type NewMap = Omit<QualifierMap, 'guid'> & { readonly guid?: string }

/** The changes that turn one set of maps into another. */
export interface MapPlan {
  readonly created: readonly NewMap[]
  /** Only the maps that differ. */
  readonly updated: readonly QualifierMap[]
  readonly deleted: readonly QualifierMap[]
}

type Identity = Pick<QualifierMap, 'hash' | 'difficulty' | 'characteristic'>

/** The identity of a map, independent of its name; ignores case. */
export function identityOf({ hash, difficulty, characteristic }: Identity): string {
  return [hash, difficulty, characteristic].join('/').toLowerCase()
}

/**
 * Plans the replacement of the maps. Given maps with a known GUID or identity are updated, other given maps are
 * created, and maps that are not given are deleted. No map may be given twice, and a played map keeps its identity.
 * (additions: Qualifiers)
 * @param played GUIDs of maps with attempts
 * @throws Problem `qualifier.invalid`, `qualifier.map_unknown`, `qualifier.map_twice`, `qualifier.map_played`
 */
export function planMaps(
  current: readonly QualifierMap[],
  wanted: readonly MapInput[],
  played: ReadonlySet<string>,
): MapPlan {
  const left = new Map(current.map((map) => [map.guid, map]))
  const created: NewMap[] = []
  const updated: QualifierMap[] = []
  const seen = new Set<string>()
  for (const [index, input] of wanted.entries()) {
    const map = readMap(input, index)
    if (seen.has(identityOf(map))) throw invalid('qualifier.map_twice', `The map ${index + 1} stands there twice.`)
    seen.add(identityOf(map))
    const before = findMap(left, input.guid, map)
    if (before === undefined) {
      created.push(map)
      continue
    }
    left.delete(before.guid)
    if (identityOf(before) !== identityOf(map)) checkUnplayed(before, played)
    const after = { guid: before.guid, ...map }
    if (!isDeepStrictEqual(before, after)) updated.push(after)
  }
  for (const map of left.values()) checkUnplayed(map, played)
  return { created, updated, deleted: [...left.values()] }
}

function findMap(left: ReadonlyMap<string, QualifierMap>, guid: string | undefined, map: NewMap) {
  if (guid === undefined) return [...left.values()].find((other) => identityOf(other) === identityOf(map))
  const found = left.get(normaliseGuid(guid))
  if (found === undefined) {
    throw invalid(
      'qualifier.map_unknown',
      `The qualifier has no map ${guid} left; leave the GUID out to add one, or load the maps again.`,
    )
  }
  return found
}

function checkUnplayed(map: QualifierMap, played: ReadonlySet<string>): void {
  if (!played.has(map.guid)) return
  throw conflict(
    'qualifier.map_played',
    `“${map.name ?? map.hash}” was played already; it can neither be removed nor become another map.`,
  )
}

function readMap(input: MapInput, index: number): NewMap {
  const { hash, difficulty, characteristic = 'Standard', maxScore = null, weight = 1, order = index } = input
  const imageUrl = input.imageUrl || null
  const fault = imageUrl === null ? null : webAddressFault(imageUrl)
  if (fault !== null) throw invalid('qualifier.invalid', `The image address of map ${index + 1} ${fault}.`)
  return {
    hash: hash.toLowerCase(),
    difficulty,
    characteristic,
    name: readNameOrNone(input.name),
    artist: readNameOrNone(input.artist),
    mapper: readNameOrNone(input.mapper),
    imageUrl,
    maxScore,
    weight,
    order,
  }
}
