import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerAddress } from './request.ts'

describe('RFC 6749 §3.1.2, §4.1.2: answerAddress', () => {
  test.each([
    ['https://a.example/cb', 'https://a.example/cb?code=x'],
    ['https://a.example', 'https://a.example?code=x'],
    ['https://a.example/cb?', 'https://a.example/cb?code=x'],
    ['https://a.example/cb?b=c', 'https://a.example/cb?b=c&code=x'],
    ['https://a.example/cb?b=c&', 'https://a.example/cb?b=c&code=x'],
    ['https://a.example/cb?b=%20%2F+', 'https://a.example/cb?b=%20%2F+&code=x'],
    ['https://a.example/cb?b=c?', 'https://a.example/cb?b=c?&code=x'],
    ['https://a.example/cb??', 'https://a.example/cb??&code=x'],
    ['https://a.example/cb&', 'https://a.example/cb&?code=x'],
    ['http://[::1]:80/cb', 'http://[::1]:80/cb?code=x'],
  ])('adds to %s', (redirectUri, expected) => {
    expect(answerAddress(redirectUri, { code: 'x', state: null })).toBe(expected)
  })

  test('changes nothing of the address, and what it adds is read as it was given', () => {
    const address = fc.webUrl({ withQueryParameters: true }).filter((url) => URL.canParse(url))
    const members = fc.record({ code: fc.string({ unit: 'grapheme' }), state: fc.string({ unit: 'grapheme' }) })
    fc.assert(
      fc.property(address, members, (redirectUri, answer) => {
        const whole = answerAddress(redirectUri, answer)
        expect(whole.startsWith(redirectUri)).toBe(true)
        const registered = new URL(redirectUri).searchParams.size
        expect([...new URL(whole).searchParams].slice(registered)).toEqual(Object.entries(answer))
        expect(new URL(whole).hash).toBe('')
      }),
    )
  })
})
