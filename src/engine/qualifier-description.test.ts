import { expect, test } from 'vitest'
import { type Described, describeQualifier } from './qualifier-description.ts'
import { defaultPoints, qualifierMethods } from './qualifier-types.ts'

const usual: Described = {
  method: 'average_accuracy',
  settings: { countMaps: null, topPlayers: null, points: defaultPoints, missing: 'zero', failCounts: true },
  modifiers: 'any',
  maps: 10,
  attempts: 0,
  cutoff: null,
}
const lines = (more: Partial<Omit<Described, 'settings'>> = {}, settings: Partial<Described['settings']> = {}) =>
  describeQualifier({ ...usual, ...more, settings: { ...usual.settings, ...settings } })

test('every method is told in sentences of its own', () => {
  const firsts = qualifierMethods.map((method) => lines({ method })[0])
  expect(new Set(firsts).size).toBe(qualifierMethods.length)
  for (const method of qualifierMethods) for (const line of lines({ method })) expect(line).toMatch(/^[A-Z].*\.$/)
})

test('modifiers, where they are ruled out', () => {
  const sentence = 'Modifiers do not count: a score above the highest that its map allows is refused.'
  expect(lines()).not.toContain(sentence)
  expect(lines({ modifiers: 'none' })).toContain(sentence)
})

test('which maps count', () => {
  expect(lines()[0]).toBe('Players and teams are ranked by their average accuracy over all 10 maps.')
  expect(lines({}, { countMaps: 5 })[0]).toContain('over their best 5 of 10 maps.')
  expect(lines({}, { countMaps: 12 })[0]).toContain('over all 10 maps.')
  expect(lines({ maps: 1 })[0]).toContain('over the one map.')
  // The number of secret maps is secret too.
  expect(lines({ maps: 0 })[0]).toContain('over all maps.')
  expect(lines({ maps: 0 }, { countMaps: 5 })[0]).toContain('over their best 5 maps.')
})

test('attempts, failures, members, missing maps, points and the cutoff', () => {
  const describes = (more: Parameters<typeof lines>[0], settings: Parameters<typeof lines>[1], sentence: string) =>
    expect(lines(more, settings)).toContain(sentence)
  describes({}, {}, 'A player may play each map as often as they like; the attempt with the highest score counts.')
  describes({ attempts: 1 }, {}, 'A player has 1 attempt on each map; the one with the highest score counts.')
  describes({}, { failCounts: false }, 'Failed attempts have no result.')
  describes({}, { missing: 'last' }, 'A map without a result counts as much as the worst result there.')
  describes({ method: 'sum_of_ranks' }, {}, 'A map without a result counts as one rank behind the last one there.')
  describes(
    { method: 'points_per_place' },
    { points: [3, 1] },
    'The places on a map are worth 3, 1 points, from the first; those behind get none.',
  )
  describes({ cutoff: 1 }, {}, 'The first team advances.')
  describes({ cutoff: 32 }, {}, 'The first 32 teams advance.')
  expect(lines({}, { topPlayers: 3 }).join()).toContain('of its 3 best active members')
  expect(lines({}, { topPlayers: 1 }).join()).toContain('of its best active member')
})
