import { expect, test } from 'vitest'
import { etagOf, matches } from './etag.ts'

const tag = etagOf(Buffer.from('{"a":1}'))

test('an entity tag is strong, and made of the bytes', () => {
  expect(tag).toMatch(/^"[\w-]{27}"$/)
  expect(etagOf(Buffer.from('{"a":1}'))).toBe(tag)
  expect(etagOf(Buffer.from('{"a":1} '))).not.toBe(tag)
})

/** Whether each `If-None-Match` header matches. (RFC 9110 §13.1.2) */
test.each([
  [undefined, false],
  ['', false],
  ['*', true],
  [' * ', true],
  ['**', false],
  ['*, "other"', false],
  [tag, true],
  [` ${tag} `, true],
  [`W/${tag}`, true],
  [`"other", W/"another",${tag}`, true],
  [`w/${tag}`, false],
  [tag.slice(1, -1), false],
  [tag.slice(0, -1), false],
  [`${tag}x`, false],
  [tag.toLowerCase(), false],
  ['""', false],
  [',,,', false],
])('If-None-Match: %s matches: %s', (header, isMatch) => {
  expect(matches(header, tag)).toBe(isMatch)
})
