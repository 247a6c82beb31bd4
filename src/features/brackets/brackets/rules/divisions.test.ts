import { describe, expect, test } from 'vitest'
import { defaultId } from './divisions.ts'

describe('the id of a division that was given none', () => {
  test.each([
    ['Division A', [], 'division-a'],
    ['A', [], 'a'],
    ['A', ['a'], 'b'],
    ['Ärzte & Co.', [], 'arzte-co'],
    ['new', [], 'a'],
    ['7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11', [], '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f'],
    ['x'.repeat(40), [], 'x'.repeat(32)],
    [`${'x'.repeat(31)} y`, [], 'x'.repeat(31)],
    ['!', [...'abcdefghijklmnopqrstuvwxyz'], 'aa'],
    ['!', [...'abcdefghijklmnopqrstuvwxyz', 'aa', 'ab'], 'ac'],
    ['', [], 'a'],
  ])('of %j with %j taken is %s', (name, taken, expected) => {
    expect(defaultId(name, new Set(taken))).toBe(expected)
  })
})
