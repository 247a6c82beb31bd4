import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGuid, normaliseGuid, parseIdentifier, shortIdFault } from './ids.ts'

const guid = '01234567-89ab-4cde-8f01-23456789abcd'
const pattern = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

describe('a GUID', () => {
  test('is known by its form, in any case', () => {
    for (const text of [guid, guid.toUpperCase(), '00000000-0000-0000-0000-000000000000'])
      expect(isGuid(text)).toBe(true)
    const others = [
      '',
      `${guid} `,
      ` ${guid}`,
      `${guid}\n`,
      guid.slice(1),
      `${guid}0`,
      `{${guid}}`,
      guid.replaceAll('-', ''),
    ]
    for (const text of [...others, guid.replace('a', 'g'), `urn:uuid:${guid}`]) expect(isGuid(text), text).toBe(false)
  })

  test('is kept in lower case', () => {
    expect(normaliseGuid(guid.toUpperCase())).toBe(guid)
  })
})

describe('a short id', () => {
  test.each(['a', '0', 'ab', 'a-b', 'a--b', 'cup-2026', 'Cup-2026', '880000000000000001', 'a'.repeat(32)])(
    'may be %s',
    (id) => {
      expect(shortIdFault(id)).toBeNull()
    },
  )

  test.each([
    ['', 'must be 1 to 32'],
    ['-', 'must be 1 to 32'],
    ['-a', 'must be 1 to 32'],
    ['a-', 'must be 1 to 32'],
    ['a b', 'must be 1 to 32'],
    ['a_b', 'must be 1 to 32'],
    ['a\n', 'must be 1 to 32'],
    ['ä', 'must be 1 to 32'],
    ['a'.repeat(33), 'must be 1 to 32'],
    [guid, 'may not look like a GUID'],
    [guid.toUpperCase(), 'may not look like a GUID'],
    ['mine', 'is a reserved word'],
    ['New', 'is a reserved word'],
    ['ADMIN', 'is a reserved word'],
  ])('may not be %s', (id, reason) => {
    expect(shortIdFault(id)).toContain(reason)
  })

  test('has the documented form, whatever else it might be', () => {
    const texts = fc.oneof(fc.string({ maxLength: 40 }), fc.stringMatching(pattern))
    fc.assert(
      fc.property(texts, (text) => {
        const isReserved = ['mine', 'new', 'admin'].includes(text.toLowerCase())
        expect(shortIdFault(text) === null).toBe(pattern.test(text.toLowerCase()) && !isReserved && !isGuid(text))
      }),
    )
  })
})

describe('an identifier in an address', () => {
  test('is a GUID or a short id, in any case, and never both', () => {
    expect(parseIdentifier(guid.toUpperCase())).toEqual({ guid })
    expect(parseIdentifier('Cup-2026')).toEqual({ id: 'cup-2026' })
    // Reserved words are routes of their own; as identifiers they parse, but name nothing.
    expect(parseIdentifier('new')).toEqual({ id: 'new' })
  })

  test.each(['', ' ', 'a b', '..', '%00', 'a\u0000', '__proto__', 'x'.repeat(33), `${guid}x`])(
    'that is %j needs no query',
    (text) => {
      expect(parseIdentifier(text)).toBeNull()
    },
  )
})
