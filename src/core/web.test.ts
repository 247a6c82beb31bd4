import { expect, test } from 'vitest'
import { maxAddressLength, webAddressFault } from './web.ts'

const addressOf = (length: number, character = 'x') => {
  const host = 'https://a.example/'
  return host + character.repeat(length - host.length)
}

test.each([
  ['a picture', 'https://example.org/image.png', null],
  ['the longest', addressOf(maxAddressLength), null],
  ['a longer one', addressOf(maxAddressLength + 1), 'must have at most 2000 characters'],
  // Each of these is one character, in two UTF-16 units.
  ['the longest of other letters', addressOf(maxAddressLength, '𝔵'), null],
  ['a longer one of those', addressOf(maxAddressLength + 1, '𝔵'), 'must have at most 2000 characters'],
  ['no whole address', 'image.png', 'must be an absolute address such as https://example.org/image.png'],
  ['another scheme', 'ftp://example.org', 'must start with https:// or http://'],
  ['a user name', 'https://me@example.org', 'must not hold a user name or password'],
])('what is wrong with an address is told: %s', (_, address, fault) => {
  expect(webAddressFault(address)).toBe(fault)
})
