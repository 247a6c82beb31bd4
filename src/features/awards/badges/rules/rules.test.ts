import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../../test/problems.ts'
import { checkDeletable, checkIsGiven, readTexts, retirementOf } from './badges.ts'
import { checkIsHeld, readAwardedAt, readLabel, sortRecipients } from './grants.ts'
import { readChoice } from './showing.ts'

const now = new Date('2026-05-01T18:00:00Z')
const [ada, ben, cleo] = ['a', 'b', 'c'].map((letter) => letter.repeat(8).concat('-0000-4000-8000-000000000000')) as [
  string,
  string,
  string,
]

describe('what a badge says', () => {
  test.each([
    ['x', 'x', null],
    [' Two  words\n', 'Two words', null],
    ['x'.repeat(60), 'x'.repeat(60), null],
    ['👍'.repeat(60), '👍'.repeat(60), null],
    ['x'.repeat(61), null, 'badge.invalid'],
    ['', null, 'badge.invalid'],
    ['\u2800', null, 'badge.invalid'],
  ])('name %j', (name, read, code) => {
    if (code === null) expect(readTexts({ name })).toEqual({ name: read })
    else expect(codeOf(() => readTexts({ name }))).toBe(code)
  })

  test('description, of up to 280 characters', () => {
    expect(readTexts({ description: '' })).toEqual({ description: '' })
    expect(readTexts({ description: ` ${'x'.repeat(280)} ` })).toEqual({ description: 'x'.repeat(280) })
    expect(codeOf(() => readTexts({ description: 'x'.repeat(281) }))).toBe('badge.invalid')
    expect(readTexts({ kind: 'staff' })).toEqual({ kind: 'staff' })
  })
})

test('a badge is retired when it is first said so, and not any more when that is taken back (B4)', () => {
  const before = new Date('2026-01-01T00:00:00Z')
  const cases = [
    [null, undefined, null],
    [null, true, now],
    [null, false, null],
    [before, undefined, before],
    [before, true, before],
    [before, false, null],
  ] as const
  for (const [retiredAt, retired, then] of cases) expect(retirementOf({ retiredAt }, retired, now)).toEqual(then)
  expect(codeOf(() => checkIsGiven({ retiredAt: before }))).toBe('badge.retired')
  expect(codeOf(() => checkIsGiven({ retiredAt: null }))).toBe(null)
  expect(codeOf(() => checkDeletable(true))).toBe('badge.in_use')
  expect(codeOf(() => checkDeletable(false))).toBe(null)
  expect(codeOf(() => checkIsHeld({ revokedAt: before }))).toBe('badge.grant_revoked')
  expect(codeOf(() => checkIsHeld({ revokedAt: null }))).toBe(null)
})

test('a label is on one line, and an empty one is none', () => {
  for (const empty of [undefined, null, '', ' \n ']) expect(readLabel(empty)).toBe(null)
  expect(readLabel(' 2nd\n  place')).toBe('2nd place')
})

test('a badge is awarded now or earlier', () => {
  for (const unset of [undefined, null, '1970-01-01T00:00:00Z']) expect(readAwardedAt(unset, now)).toEqual(now)
  expect(readAwardedAt('2026-05-01T20:00:00+02:00', now)).toEqual(now)
  for (const wrong of ['2026-05-01T18:00:00.001Z', '2026-05-01T18:00:00', 'yesterday', '2019-01-01T00:00:00Z']) {
    expect(
      codeOf(() => readAwardedAt(wrong, now)),
      wrong,
    ).toBe('badge.invalid')
  }
})

test('recipients are each named once, and by what they were named first (B1)', () => {
  const known = new Map([
    ['1', ada],
    [ada, ada],
    ['2', ben],
  ])
  const named = [{ user: '3' }, { user: '1', label: 'First', place: 1 }, { user: ada, label: 'Second' }, { user: '2' }]
  expect(sortRecipients([...named, { user: '3' }], known, now)).toEqual({
    recipients: [
      { userGuid: ada, label: 'First', place: 1, awardedAt: now },
      { userGuid: ben, label: null, place: null, awardedAt: now },
    ],
    repeated: [ada],
    unknown: [0, 4],
  })
})

test('a holder arranges what they hold, each once, and nothing else (B2)', () => {
  const held = [{ guid: ada }, { guid: ben }]
  expect(readChoice({}, held)).toEqual({})
  expect(readChoice({ order: [] }, held)).toEqual({ order: [] })
  expect(readChoice({ order: [ben.toUpperCase(), ada, ben], hidden: [ada] }, held)).toEqual({
    order: [ben, ada],
    hidden: [ada],
  })
  for (const given of [{ order: [cleo] }, { hidden: [ada, cleo] }, { order: [ada], hidden: [cleo] }]) {
    expect(codeOf(() => readChoice(given, held))).toBe('badge.grant_not_own')
  }
})
