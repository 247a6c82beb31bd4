import { describe, expect, test } from 'vitest'
import { newUserCode, readUserCode, shownUserCode } from './codes.ts'

describe('RFC 8628 §6.1 a user code', () => {
  test('is eight of twenty letters, all of them in use, and does not come twice', () => {
    const codes = Array.from({ length: 2_000 }, newUserCode)
    for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    expect(new Set(codes).size).toBe(codes.length)
    for (let place = 0; place < 8; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(20)
  })

  test('is shown in two halves', () => {
    expect(shownUserCode('WDJBMJHT')).toBe('WDJB-MJHT')
  })

  test.each([
    ['as shown', 'WDJB-MJHT'],
    ['without the hyphen', 'WDJBMJHT'],
    ['in lower case', 'wdjb-mjht'],
    ['in mixed case', 'WdJb-mjHT'],
    ['with a space', 'WDJB MJHT'],
    ['with spaces around', '  WDJB-MJHT\t'],
    ['letter by letter', 'w d j b m j h t'],
    ['with hyphens everywhere', '-WD-JB--MJ-HT-'],
  ])('is understood %s', (_how, typed) => {
    expect(readUserCode(typed)).toBe('WDJBMJHT')
  })

  test.each([
    ['nothing', ''],
    ['too few', 'WDJB-MJH'],
    ['too many', 'WDJB-MJHTT'],
    ['a vowel', 'WDJB-MJHA'],
    ['a digit', 'WDJB-MJH1'],
    ['another alphabet', 'ΩDJB-MJHT'],
    ['other punctuation', 'WDJB/MJHT'],
    ['a long text', 'WDJB-MJHT'.repeat(1_000)],
  ])('is not %s', (_what, typed) => {
    expect(readUserCode(typed)).toBeNull()
  })
})
