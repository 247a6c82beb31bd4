import { expect, test } from 'vitest'
import type { Flair } from '../types.ts'
import { differingFlairs, planFlairs } from './flairs.ts'

const current = ['Speed', 'Tech', 'Acc'].map((name, order): Flair => {
  return { guid: name.toLowerCase(), name, color: '#ff0000', icon: null, order }
})
const [speed, tech, acc] = current as [Flair, Flair, Flair]
const more = { name: 'New', color: '#00ff00' }

/** Pools are neither read nor corrected if none of their maps' flairs differ. */
test.each([
  ['the same list', [speed, tech, acc], []],
  [
    'a flair that is new, wherever it stands',
    [more, speed, more, tech, acc].map((one, at) => ({ ...one, ...(one === more ? { name: `New ${at}` } : {}) })),
    [],
  ],
  ['one that goes', [tech, acc], ['speed']],
  ['another name', [{ ...speed, name: 'Fast' }, tech, acc], ['speed']],
  ['another colour, at another place', [more, { ...speed, color: '#0000ff' }, tech, acc], ['speed']],
  ['an icon', [speed, tech, { ...acc, icon: 'bolt' }], ['acc']],
  ['two that change places', [tech, speed, acc], ['speed', 'tech']],
  ['one that passes all others', [acc, speed, tech], ['speed', 'tech', 'acc']],
  ['one that goes, and one that passes another', [acc, tech], ['speed', 'tech', 'acc']],
])('of %s these differ', (_, wanted, expected) => {
  expect(differingFlairs(current, planFlairs(current, wanted).updated)).toEqual(expected)
})
