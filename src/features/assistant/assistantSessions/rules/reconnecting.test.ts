import { describe, expect, test } from 'vitest'
import { againAfter, type Trouble } from './reconnecting.ts'

const usual: Trouble = { code: 'assistant.unreachable', tokenKind: 'own', refusals: 0, tries: 0, withoutMs: 0 }

describe('when a connection is made anew (AS10)', () => {
  test.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 15_000],
    [40, 15_000],
  ])('after %i failed tries: in %i ms, a fifth more or less', (tries, ms) => {
    expect(againAfter({ ...usual, tries }, 0.5)).toBeCloseTo(ms)
    expect(againAfter({ ...usual, tries }, 0)).toBeCloseTo(ms * 0.8)
    expect(againAfter({ ...usual, tries }, 1)).toBeCloseTo(ms * 1.2)
  })

  test.each<[string, Partial<Trouble>, boolean]>([
    ['one that was there and broke', { code: null }, true],
    ['one that broke after hours', { code: null, withoutMs: 3_600_000 }, true],
    ['just below ten minutes', { withoutMs: 599_999 }, true],
    ['ten minutes', { withoutMs: 600_000 }, false],
    ['a refused password', { code: 'assistant.password' }, false],
    ['a token of ours that was refused', { code: 'assistant.unauthorised', refusals: 1 }, true],
    ['the one after it as well', { code: 'assistant.unauthorised', refusals: 2 }, false],
    ['the one after it, once the connection was there', { code: null, refusals: 2 }, false],
    ['a bot’s token', { code: 'assistant.unauthorised', refusals: 1, tokenKind: 'bot' }, false],
    ['another version', { code: 'assistant.version' }, true],
  ])('%s', (_name, given, isAgain) => {
    expect(againAfter({ ...usual, ...given }, 0.5) !== null).toBe(isAgain)
  })
})
