import { expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import { checkEnded, checkHeld, readRevealed } from './rules.ts'

test('a match is revealed, or everything', () => {
  expect(readRevealed({ match: 'a' })).toEqual({ match: 'a' })
  expect(readRevealed({ all: true })).toBe('all')
  const refused = [{}, { all: false }, { match: 'a', all: true }, { match: 'a', all: false }]
  expect(refused.map((given) => codeOf(() => readRevealed(given)))).toEqual(refused.map(() => 'reveal.invalid'))
})

test('only of a held tournament, and a match only after its end', () => {
  expect(codeOf(() => checkHeld('open'))).toBe('spoiler.not_held')
  expect(codeOf(() => checkHeld('held'))).toBe(null)
  expect(codeOf(() => checkEnded(undefined))).toBe('match.unknown')
  expect(codeOf(() => checkEnded({ status: 'running' }))).toBe('match.not_completed')
  expect(codeOf(() => checkEnded({ status: 'completed' }))).toBe(null)
})
