import { expect, test } from 'vitest'
import { Problem, type ProblemKind } from '../../core/problem.ts'
import { isPassing } from './once.ts'

/** Refusals are kept, except 429 and 5xx, which another attempt may not meet. (RT25) */
test.each<[ProblemKind, boolean]>([
  ['invalid', false],
  ['forbidden', false],
  ['missing', false],
  ['conflict', false],
  ['too_large', false],
  ['unsupported_type', false],
  ['limited', true],
  ['timeout', true],
  ['unavailable', true],
])('%s passes: %s', (kind, passes) => {
  expect(isPassing(new Problem(kind, 'some.code', 'Some words.'))).toBe(passes)
})
