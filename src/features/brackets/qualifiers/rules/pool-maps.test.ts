import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../../test/problems.ts'
import type { QualifierMap } from '../types.ts'
import { type PoolSource, planFromPool } from './pool-maps.ts'

/** The maps of a pool become the qualifier's. (pools: Which pool a match uses) */

function sourceOf(letter: string, more: Partial<PoolSource> = {}): PoolSource {
  return {
    guid: `pool-${letter}`,
    hash: letter.repeat(40),
    difficulty: 'ExpertPlus',
    characteristic: 'Standard',
    name: letter,
    artist: null,
    mapper: null,
    imageUrl: null,
    maxScore: 1_000,
    weight: 1,
    ...more,
  }
}

const mapOf = (letter: string, order: number, more: Partial<QualifierMap> = {}): QualifierMap => {
  return { ...sourceOf(letter), guid: `own-${letter}`, order, ...more }
}

const none = { played: new Set<string>(), spare: ['spare-1', 'spare-2'] }
const guids = (maps: readonly QualifierMap[]) => maps.map(({ guid }) => guid)

describe('what becomes of the maps', () => {
  test.each([
    ['nothing to nothing', [], [], [[], [], [], []]],
    ['new ones by their GUIDs in the pool', [], ['a', 'b'], [['pool-a', 'pool-b'], ['pool-a', 'pool-b'], [], []]],
    ['the same', ['a', 'b'], ['a', 'b'], [['own-a', 'own-b'], [], [], []]],
    ['another order', ['a', 'b'], ['b', 'a'], [['own-b', 'own-a'], [], [], ['own-a', 'own-b']]],
    ['one in the place of another', ['a', 'b'], ['a', 'c'], [['own-a', 'pool-c'], ['pool-c'], ['own-b'], []]],
    ['none left', ['a'], [], [[], [], ['own-a'], []]],
  ] as const)('%s', (_name, current, sources, [maps, added, removed, changed]) => {
    const taken = planFromPool(
      current.map((letter, order) => mapOf(letter, order)),
      sources.map((letter) => sourceOf(letter)),
      none,
    )
    expect(guids(taken.maps)).toEqual(maps)
    expect(taken.maps.map(({ order }) => order)).toEqual(sources.map((_source, order) => order))
    expect([guids(taken.added), guids(taken.removed), guids(taken.changed).toSorted()]).toEqual([
      added,
      removed,
      changed,
    ])
  })

  test('identities are compared without case; what the catalogue does not tell, or tells wrongly, stays', () => {
    const before = mapOf('a', 0, { difficulty: 'expertplus', name: 'Known', imageUrl: 'https://a.example/a.png' })
    const source = sourceOf('a', { name: null, imageUrl: 'javascript:alert(1)', maxScore: 0, weight: 2 })
    const { maps, changed } = planFromPool([before], [source], none)
    expect(maps).toEqual([{ ...before, difficulty: 'ExpertPlus', weight: 2 }])
    expect(changed).toEqual(maps)
    const [made] = planFromPool([], [source], none).maps
    expect(made).toMatchObject({ name: null, imageUrl: null, maxScore: null })
  })

  test('a GUID that another map has taken is not given twice', () => {
    const { maps } = planFromPool([mapOf('b', 0, { guid: 'pool-a' })], [sourceOf('a'), sourceOf('b')], none)
    expect(guids(maps)).toEqual(['spare-2', 'pool-a'])
  })

  test('what was played stays, and there is a bound', () => {
    const played = new Set(['own-a'])
    expect(codeOf(() => planFromPool([mapOf('a', 0)], [sourceOf('b')], { ...none, played }))).toBe(
      'qualifier.map_played',
    )
    expect(codeOf(() => planFromPool([mapOf('a', 0)], [sourceOf('a', { weight: 3 })], { ...none, played }))).toBeNull()
    const many = Array.from({ length: 51 }, (_, n) => sourceOf('a', { hash: n.toString(16).padStart(40, '0') }))
    expect(codeOf(() => planFromPool([], many, none))).toBe('qualifier.too_many_maps')
    expect(codeOf(() => planFromPool([], many.slice(1), none))).toBeNull()
  })
})
