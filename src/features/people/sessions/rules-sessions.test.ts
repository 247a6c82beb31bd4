import { describe, expect, test } from 'vitest'
import { sealedForm } from '../../../infra/sealed.ts'
import { isNewPlace, isNoteDue, networkOf, shownUserAgent } from './rules.ts'

test('that a sign-in was used is written down once an hour', () => {
  const seen = new Date('2026-05-01T18:00:00Z')
  expect(isNoteDue(seen, new Date('2026-05-01T18:59:59.999Z'))).toBe(false)
  expect(isNoteDue(seen, new Date('2026-05-01T19:00:00Z'))).toBe(true)
  expect(isNoteDue(seen, new Date('2026-05-01T17:00:00Z'))).toBe(false)
})

test('what a client calls itself is kept short, and is null where it says nothing', () => {
  expect(shownUserAgent('Overlay/1.0')).toBe('Overlay/1.0')
  expect(shownUserAgent('x'.repeat(5_000))).toBe('x'.repeat(300))
  expect([shownUserAgent(''), shownUserAgent(null)]).toEqual([null, null])
})

describe('a sealed value', () => {
  const seal = (text: string) => Buffer.from(`secret ${text}`).toString('base64url')
  const form = sealedForm<{ path: string }>('a', 60)
  const now = new Date('2026-05-01T18:00:00Z')
  const later = (ms: number) => new Date(now.getTime() + ms)
  const sealed = form.close(seal, { path: '/é?😀' }, now)

  test('opens to what it was made of, until it expires', () => {
    expect(sealed).toMatch(/^[\w-]+\.[\w-]+$/)
    expect(form.open(seal, sealed, now)).toEqual({ path: '/é?😀' })
    expect(form.open(seal, sealed, later(59_999))).toEqual({ path: '/é?😀' })
    expect(form.open(seal, sealed, later(60_000))).toBeNull()
  })

  test('does not open with another secret, or as a value of another purpose', () => {
    expect(form.open((text) => `${seal(text)}x`, sealed, now)).toBeNull()
    expect(sealedForm('b', 60).open(seal, sealed, now)).toBeNull()
    expect(sealedForm('', 60).open(seal, sealed, now)).toBeNull()
  })

  test.each(['', '.', 'a', 'a.b', `${sealed}.`, `.${sealed}`, sealed.replace('.', '..'), sealed.slice(0, -1)])(
    'does not open from %j',
    (text) => {
      expect(form.open(seal, text, now)).toBeNull()
    },
  )
})

describe('networkOf', () => {
  test.each([
    ['203.0.113.1', '203.0.113.254'],
    ['203.0.113.1', '::ffff:203.0.113.9'],
    ['203.0.113.1', '::ffff:cb00:7109'],
    ['2001:db8:1::1', '2001:0DB8:0001:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::1%eth0', 'fe80::1%eth1'],
    ['127.0.0.1', '127.0.0.2'],
    ['10.0.0.1', '10.0.0.2'],
    ['nonsense', ''],
    ['unknown', '203.0.113.1:80'],
  ])('%s and %s are one place', (one, other) => {
    expect(networkOf(one)).toBe(networkOf(other))
  })

  test.each([
    ['203.0.113.1', '203.0.114.1'],
    ['203.0.113.1', '203.1.113.1'],
    ['::ffff:203.0.113.1', '::ffff:203.0.114.1'],
    ['2001:db8:1::1', '2001:db8:2::1'],
    ['2001:db8:1::1', '2001:db9:1::1'],
    ['127.0.0.1', '::1'],
    ['10.0.0.1', '10.0.1.1'],
    ['0.0.0.1', '::'],
    ['203.0.113.1', 'nonsense'],
  ])('%s and %s are two', (one, other) => {
    expect(networkOf(one)).not.toBe(networkOf(other))
  })
})

test.each([
  [[], 'a', false],
  [['a'], 'a', false],
  [['a', 'b'], 'b', false],
  [['a'], 'b', true],
  [['a', 'b'], 'c', true],
])('to somebody known at %j, whether %s is a new place: %s', (known, place, isNew) => {
  expect(isNewPlace(known, place)).toBe(isNew)
})
