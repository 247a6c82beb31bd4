import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('the examples of RFC 8785', () => {
  // Section 3.2.2 and 3.2.3.
  const example = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
    literals: [null, true, false],
  }
  expect(canonicalJson(example)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const sorted = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
  expect(Object.values(JSON.parse(canonicalJson(sorted)))).toHaveLength(7)
  expect(Array.from(canonicalJson(sorted).matchAll(/:(\d)/g), ([, at]) => at).join('')).toBe('2467153')
})

test.each([
  [0, '0'],
  [-0, '0'],
  [5e-324, '5e-324'],
  [-1.7976931348623157e308, '-1.7976931348623157e+308'],
  [9007199254740992, '9007199254740992'],
  [295147905179352830000, '295147905179352830000'],
  [9.999999999999997e22, '9.999999999999997e+22'],
  [1e23, '1e+23'],
  [999999999999999700000, '999999999999999700000'],
  [1e21, '1e+21'],
  [9.999999999999997e-7, '9.999999999999997e-7'],
  [0.000001, '0.000001'],
  [333333333.33333325, '333333333.33333325'],
  [1424953923781206.2, '1424953923781206.2'],
])('the number %s is written as in appendix B of RFC 8785', (number, text) => {
  expect(canonicalJson(number)).toBe(text)
})

test('names that are whole numbers are ordered as text', () => {
  expect(canonicalJson({ 9: 'nine', 10: 'ten' })).toBe('{"10":"ten","9":"nine"}')
})

test('members without a value are left out; what JSON cannot hold is refused', () => {
  expect(canonicalJson({ one: undefined, other: null })).toBe('{"other":null}')
  expect(() => canonicalJson(Number.NaN)).toThrow(RangeError)
  expect(() => canonicalJson({ half: '\ud800' })).toThrow(RangeError)
})
