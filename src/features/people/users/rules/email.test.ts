import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../../test/problems.ts'
import { checkAddress } from './email.ts'

describe('an address that mail can be sent to', () => {
  const label = 'a'.repeat(63)
  test.each([
    'quaver@example.org',
    'first.last+tag@mail.example.org',
    "o'brien!#$%&*/=?^_`{|}~-@example.org",
    'x@xn--bcher-kva.example',
    '1@2.org',
    `${'a'.repeat(64)}@example.org`,
    `a@${label}.${label}.${label}.${'a'.repeat(60)}`,
  ])('%s', (email) => {
    expect(codeOf(() => checkAddress(email))).toBeNull()
  })
})

describe('what is no such address', () => {
  test.each([
    ['nothing', ''],
    ['no name', '@example.org'],
    ['no domain', 'quaver@'],
    ['no @', 'quaver.example.org'],
    ['two of them', 'a@b@example.org'],
    ['a name in quotes', '"quaver"@example.org'],
    ['a line end in quotes', '"a\nBcc: victim@example.org"@example.org'],
    ['a line end', 'quaver@example.org\nBcc: victim@example.org'],
    ['a line end behind it', 'quaver@example.org\n'],
    ['two addresses', 'a@example.org,b@example.org'],
    ['a name before it', 'Quaver <quaver@example.org>'],
    ['a space', 'qua ver@example.org'],
    ['two dots', 'qua..ver@example.org'],
    ['a dot first', '.quaver@example.org'],
    ['letters beyond ASCII', 'quävér@example.org'],
    ['a domain in its own script', 'quaver@bücher.example'],
    ['a domain in look-alike letters', 'quaver@еxample.org'],
    ['a bare host', 'root@localhost'],
    ['an IP address', 'root@127.0.0.1'],
    ['an IP address in brackets', 'root@[127.0.0.1]'],
    ['a top-level domain of digits', 'quaver@example.123'],
    ['a hyphen at an end of a label', 'quaver@-example.org'],
    ['a name of more than 64', `${'a'.repeat(65)}@example.org`],
    ['a label of more than 63', `a@${'a'.repeat(64)}.org`],
    ['more than 254 in all', `a@${`${'a'.repeat(49)}.`.repeat(5)}exam`],
  ])('%s', (_what, email) => {
    expect(codeOf(() => checkAddress(email))).toBe('email.invalid')
  })
})
