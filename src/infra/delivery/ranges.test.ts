import { expect, test } from 'vitest'
import { isRangeMeant, rangeOf } from './ranges.ts'

/** The examples of RFC 9110 §14.1.2, and cases that it does not mention. (M20) */

test.each<[string | undefined, ReturnType<typeof rangeOf>]>([
  ['bytes=0-499', { first: 0, last: 499 }],
  ['bytes=500-999', { first: 500, last: 999 }],
  ['bytes=-500', { first: 9500, last: 9999 }],
  ['bytes=9500-', { first: 9500, last: 9999 }],
  ['bytes=0-', { first: 0, last: 9999 }],
  ['bytes=-1', { first: 9999, last: 9999 }],
  ['bytes=-20000', { first: 0, last: 9999 }],
  ['bytes=9999-20000', { first: 9999, last: 9999 }],
  ['BYTES=1-2', { first: 1, last: 2 }],
  ['bytes= 1-2 ', { first: 1, last: 2 }],
  ['bytes=10000-', 'unsatisfiable'],
  ['bytes=10000-10001', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [undefined, null],
  ['bytes=0-0,-1', null],
  ['bytes=500-600,601-999', null],
  ['bytes=5-4', null],
  ['bytes=', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['lines=0-1', null],
  ['bytes 0-1', null],
])('%s of 10,000 bytes', (header, range) => {
  expect(rangeOf(header, 10_000)).toEqual(range)
})

test('nothing of nothing can be had', () => {
  expect(rangeOf('bytes=0-', 0)).toBe('unsatisfiable')
  expect(rangeOf('bytes=-1', 0)).toBe('unsatisfiable')
})

test.each([
  [undefined, true],
  ['"a"', true],
  ['W/"a"', false],
  ['"b"', false],
  ['Wed, 21 Oct 2026 07:28:00 GMT', false],
])('a range counts for If-Range %s', (header, is) => {
  expect(isRangeMeant(header, '"a"')).toBe(is)
})
