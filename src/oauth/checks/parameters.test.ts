import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/problems.ts'
import { checkGiven, checkGivenOnce, checkNotOverlong, given } from './parameters.ts'

const errorOf = (work: () => unknown) => problemOf(work)?.data?.error ?? null
const read = (form: string) => new URLSearchParams(form)

describe('RFC 6749 §3.1, §3.2: a parameter', () => {
  test.each([
    ['a=b', 'b'],
    ['a=', undefined],
    ['a', undefined],
    ['b=a', undefined],
    ['A=b', undefined],
    ['a=%20', ' '],
    ['a=+', ' '],
    ['a=0', '0'],
    ['a=%00', '\u0000'],
  ])('in %s is given as %j, and left out where it has no value', (form, value) => {
    expect(given(read(form), 'a')).toBe(value)
    if (value === undefined) expect(errorOf(() => checkGiven(read(form), 'a'))).toBe('invalid_request')
    else expect(checkGiven(read(form), 'a')).toBe(value)
  })

  test.each([
    ['', null],
    ['a=1&b=1', null],
    ['a=1&A=1', null],
    ['a=1&a=1', 'invalid_request'],
    ['a=1&a=2', 'invalid_request'],
    ['a=1&a=', 'invalid_request'],
    ['a&a', 'invalid_request'],
    ['a=1&%61=1', 'invalid_request'],
    ['a+b=1&a%20b=1', 'invalid_request'],
    ['__proto__=1', null],
    ['__proto__=1&__proto__=1', 'invalid_request'],
    ['=1&=1', 'invalid_request'],
  ])('comes once: %s', (form, error) => {
    expect(errorOf(() => checkGivenOnce(read(form)))).toBe(error)
  })

  test('has at most 8192 characters', () => {
    expect(errorOf(() => checkNotOverlong(read(`x=1&a=${'a'.repeat(8_192)}`)))).toBeNull()
    expect(errorOf(() => checkNotOverlong(read(`x=1&a=${'a'.repeat(8_193)}`)))).toBe('invalid_request')
  })

  test('of any name can be refused within the grammar of descriptions, and in few words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const twice = new URLSearchParams([
          [name, 'x'.repeat(8_193)],
          [name, ''],
        ])
        for (const check of [checkGivenOnce, checkNotOverlong]) {
          const message = problemOf(() => check(twice))?.message ?? ''
          expect(message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,120}$/)
        }
      }),
    )
  })
})
