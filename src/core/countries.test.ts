import { expect, test } from 'vitest'
import { isCountryCode } from './countries.ts'

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
const pairs = letters.flatMap((first) => letters.map((second) => first + second))

test('there are 249 assigned codes and that of Kosovo, all of which the runtime can name', () => {
  const codes = pairs.filter(isCountryCode)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(codes).toHaveLength(250)
  expect(codes.filter((code) => names.of(code) === undefined)).toEqual([])
})

test.each(['CA', 'DE', 'GB', 'JP', 'SS', 'XK', 'ZW'])('%s is a country', (code) => {
  expect(isCountryCode(code)).toBe(true)
})

test.each(['UK', 'EU', 'SU', 'AN', 'AA', 'ZZ', 'ca', 'CAN', 'C', '', ' CA', 'toString'])('%j is none', (code) => {
  expect(isCountryCode(code)).toBe(false)
})
