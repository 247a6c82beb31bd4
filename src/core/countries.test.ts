import { expect, test } from 'vitest'
import { isCountryCode } from './countries.ts'

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
const pairs = letters.flatMap((first) => letters.map((second) => first + second))

test('there are 249 countries, all of which the runtime can name', () => {
  const codes = pairs.filter(isCountryCode)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(codes).toHaveLength(249)
  expect(codes.filter((code) => names.of(code) === undefined)).toEqual([])
})

test.each(['CA', 'DE', 'GB', 'JP', 'SS', 'ZW'])('%s is a country', (code) => {
  expect(isCountryCode(code)).toBe(true)
})

test.each(['UK', 'EU', 'SU', 'AN', 'XK', 'AA', 'ZZ', 'ca', 'CAN', 'C', '', ' CA', 'toString'])(
  '%j is not an assigned code',
  (code) => {
    expect(isCountryCode(code)).toBe(false)
  },
)
