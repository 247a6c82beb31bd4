import { describe, expect, test } from 'vitest'
import {
  checkGoesOn,
  checkRoom,
  dayOf,
  graceEnd,
  isNewNetwork,
  isNoteDue,
  keyOf,
  keyToShow,
  lastFourOf,
  networksWith,
  readLabel,
  testSecondsLeft,
} from './rules.ts'
import type { StreamKey } from './types.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const now = new Date('2026-05-01T18:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)

test('a key is sk- and 43 characters, and fits the names of all kinds of servers (streaming: Records)', () => {
  const key = keyOf(`${'k'.repeat(39)}x9_a`)
  expect([key, key.length, lastFourOf(key)]).toEqual([`sk-${'k'.repeat(39)}x9_a`, 46, 'x9_a'])
})

test.each([
  ['Living room', 'Living room'],
  [' Living \n room ', 'Living room'],
  ['🎮', '🎮'],
])('the label %j is read as %j', (text, label) => {
  expect(readLabel(text)).toBe(label)
})

test.each(['', ' \n', '\u3164'])('the label %j shows nothing', (text) => {
  expect(() => readLabel(text)).toThrow(refusal('stream_key.label_invalid'))
})

test('five keys are as many as there may be (S3)', () => {
  expect(() => checkRoom(4)).not.toThrow()
  expect(() => checkRoom(5)).toThrow(refusal('stream_key.limit_reached'))
})

test('a key in grace has been rotated (S3)', () => {
  expect(() => checkGoesOn({ expiresAt: null })).not.toThrow()
  expect(() => checkGoesOn({ expiresAt: now })).toThrow(refusal('stream_key.in_grace'))
})

test('without a grace the old key ends at once (S3)', () => {
  expect([graceEnd(0, now), graceEnd(600, now)]).toEqual([null, later(600_000)])
})

describe('networks', () => {
  test('the newest stands last, each once, and twenty are kept', () => {
    expect(networksWith([], 'a')).toEqual(['a'])
    expect(networksWith(['a', 'b', 'c'], 'b')).toEqual(['a', 'c', 'b'])
    const twenty = Array.from({ length: 20 }, (_, index) => `${index}`)
    expect(networksWith(twenty, 'new')).toEqual([...twenty.slice(1), 'new'])
    expect(networksWith(twenty, '0')).toEqual([...twenty.slice(1), '0'])
  })

  test.each([
    [[], 'a', false],
    [['a'], 'a', false],
    [['a'], 'b', true],
  ])('of %j, %j is new: %s', (known, network, isNew) => {
    expect(isNewNetwork(known, network)).toBe(isNew)
  })
})

test.each([
  [null, true],
  [now, false],
  [later(-59_999), false],
  [later(-60_000), true],
])('a use after the one at %s is written: %s', (lastUsedAt, isDue) => {
  expect(isNoteDue(lastUsedAt, now)).toBe(isDue)
})

test('the day of tests is that of UTC, and has half an hour (S4)', () => {
  expect(dayOf(new Date('2026-05-01T23:59:59.999Z'))).toEqual(new Date('2026-05-01T00:00:00Z'))
  expect(dayOf(new Date('2026-05-01T00:00:00Z'))).toEqual(new Date('2026-05-01T00:00:00Z'))
  expect([0, 0.4, 1_799.2, 1_800, 5_000].map(testSecondsLeft)).toEqual([1_800, 1_799, 0, 0, 0])
})

describe('the key that settings are made of', () => {
  const key = (guid: string, expiresAt: Date | null = null) => ({ guid, expiresAt }) as StreamKey
  test.each<[string, StreamKey[], string | undefined, string | undefined]>([
    ['none of none', [], undefined, undefined],
    ['the newest', [key('a'), key('b')], undefined, 'b'],
    ['the newest that goes on', [key('a'), key('b'), key('c', now)], undefined, 'b'],
    ['one that ends, where there is no other', [key('a', now)], undefined, 'a'],
    ['the one that is asked for', [key('a'), key('b')], 'a', 'a'],
    ['none, where there is no such', [key('a')], 'b', undefined],
  ])('is %s', (_what, keys, asked, shown) => {
    expect(keyToShow(keys, asked)?.guid).toBe(shown)
  })
})
