import { isDeepStrictEqual } from 'node:util'
import { nameKeyOf, readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Flair } from '../types.ts'

export interface FlairInput {
  readonly guid?: string
  readonly name: string
  readonly color: string
  readonly icon?: string | null
}

export interface FlairPlan {
  readonly created: readonly Omit<Flair, 'guid'>[]
  readonly updated: readonly Flair[]
  readonly deleted: readonly Flair[]
}

/**
 * Plans the replacement of the list: flairs with a GUID are updated, flairs without one are created, and missing ones
 * are deleted. Names must differ. (pools: Records; pools: Operations)
 * @throws Problem `flair.invalid`, `flair.unknown`, `flair.name_taken`
 */
export function planFlairs(current: readonly Flair[], wanted: readonly FlairInput[]): FlairPlan {
  const left = new Map(current.map((flair) => [flair.guid, flair]))
  const created: Omit<Flair, 'guid'>[] = []
  const updated: Flair[] = []
  const names = new Set<string>()
  for (const [order, { guid, ...input }] of wanted.entries()) {
    const flair = { ...readFlair(input, order), order }
    const key = nameKeyOf(flair.name)
    if (names.has(key)) {
      throw invalid('flair.name_taken', `Two flairs are called “${flair.name}”; choose another name.`)
    }
    names.add(key)
    if (guid === undefined) {
      created.push(flair)
      continue
    }
    const known = guid.toLowerCase()
    if (!left.delete(known))
      throw invalid('flair.unknown', `The tournament has no flair ${guid}; load the flairs again.`)
    updated.push({ guid: known, ...flair })
  }
  return { created, updated, deleted: [...left.values()] }
}

function readFlair({ name, color, icon }: FlairInput, index: number) {
  const read = readName(name)
  if (!read.ok) throw invalid('flair.invalid', `The body's member "flairs[${index}].name" ${read.reason}.`)
  return { name: read.value, color: color.toLowerCase(), icon: icon ?? null }
}

/**
 * A flair that maps carry may be deleted only with a replacement. (pools: Operations)
 * @throws Problem `flair.in_use`, `flair.unknown`
 */
export function checkReplaced(
  deleted: readonly Flair[],
  inUse: ReadonlySet<string>,
  replacements: ReadonlyMap<string, string>,
  kept: readonly Flair[],
): void {
  const bare = deleted.find(({ guid }) => inUse.has(guid) && !replacements.has(guid))
  if (bare !== undefined) {
    throw conflict('flair.in_use', `Maps carry the flair “${bare.name}”; say in "replaceWith" what they carry instead.`)
  }
  for (const [from, to] of replacements) {
    if (!deleted.some(({ guid }) => guid === from) || !kept.some(({ guid }) => guid === to)) {
      throw invalid('flair.unknown', '"replaceWith" names a flair that is left out, and one that stays.')
    }
  }
}

/**
 * Returns the GUIDs of the flairs that are deleted, look different, or change their order among the others.
 * (pools: Records)
 */
export function differingFlairs(current: readonly Flair[], updated: readonly Flair[]): readonly string[] {
  const after = new Map(updated.map((flair) => [flair.guid, flair]))
  const kept = current.filter(({ guid }) => after.has(guid)).map(({ guid }) => guid)
  const places = new Map(
    updated.toSorted((one, other) => one.order - other.order).map(({ guid }, place) => [guid, place]),
  )
  const moved = new Set(
    kept.filter((guid, place) => {
      const now = places.get(guid)
      // The flair moved if some other flair is on its other side now.
      return kept.some((other, there) => other !== guid && there < place !== (places.get(other) ?? 0) < (now ?? 0))
    }),
  )
  return current.flatMap((flair) => {
    const next = after.get(flair.guid)
    const isSame = next !== undefined && isDeepStrictEqual({ ...next, order: 0 }, { ...flair, order: 0 })
    return isSame && !moved.has(flair.guid) ? [] : [flair.guid]
  })
}
