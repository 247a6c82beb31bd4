import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

/** The cache with a limit of bytes. */

const kilobyte = 1_000

test('holds no more bytes than it may, and lets go of what was not used for longest', () => {
  const recent = new LruCache<number>(10 * kilobyte)
  for (let n = 0; n < 4; n += 1) recent.keep(`${n}`, n, 2 * kilobyte)
  expect(recent.get('0')).toBe(0)
  recent.keep('4', 4, 2 * kilobyte)
  expect(['0', '1', '2', '3', '4'].map((key) => recent.get(key))).toEqual([0, undefined, 2, 3, 4])
  for (let n = 0; n < 1_000; n += 1) {
    recent.keep(`more ${n}`, n, n)
    expect(recent.bytes).toBeLessThanOrEqual(10 * kilobyte)
  }
  expect(recent.get('more 999')).toBe(999)
})

test('counts keys, too, and a key once', () => {
  const recent = new LruCache<string>(10 * kilobyte)
  recent.keep('key', 'one', kilobyte)
  const one = recent.bytes
  recent.keep('key', 'two', kilobyte)
  expect([recent.get('key'), recent.bytes]).toEqual(['two', one])
  recent.drop('key')
  recent.drop('key')
  expect(recent.bytes).toBe(0)
  recent.keep('k'.repeat(kilobyte), 'long', 0)
  expect(recent.bytes).toBeGreaterThan(2 * kilobyte)
})

test('does not hold what has no room, nor what that is to replace', () => {
  const recent = new LruCache<string>(10 * kilobyte)
  recent.keep('small', 'small', kilobyte)
  recent.keep('growing', 'small', kilobyte)
  recent.keep('growing', 'large', 10 * kilobyte)
  expect(['small', 'growing'].map((key) => recent.get(key))).toEqual(['small', undefined])
})
