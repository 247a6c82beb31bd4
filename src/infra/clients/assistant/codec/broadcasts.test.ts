import { expect, test, vi } from 'vitest'
import type { Told } from '../messages.ts'
import { decodingOnce } from './broadcasts.ts'

const here = { tournament: 'here', hasJoined: true }
const bytesOf = (text: string) => new TextEncoder().encode(text)
const left = (guid: string) => ({ type: 'match', change: 'deleted', match: { guid, users: [], leader: '', map: null } })

test('what is told to everybody is decoded once, and apart for each tournament', () => {
  const decode = vi.fn((bytes: Uint8Array) => left(new TextDecoder().decode(bytes)) as Told)
  const once = decodingOnce(decode)
  expect([once(bytesOf('a'), here), once(bytesOf('a'), here), once(bytesOf('b'), here)]).toEqual(
    ['a', 'a', 'b'].map(left),
  )
  expect(decode).toHaveBeenCalledTimes(2)
  once(bytesOf('a'), { ...here, tournament: 'there' })
  expect(decode).toHaveBeenCalledTimes(3)
})

test.each([
  ['before we have joined', 'a', { ...here, hasJoined: false }],
  ['what is long', 'a'.repeat(5_000), here],
])('not remembered: %s', (_name, text, expectation) => {
  const decode = vi.fn(() => left('a') as Told)
  const once = decodingOnce(decode)
  once(bytesOf(text), expectation)
  once(bytesOf(text), expectation)
  expect(decode).toHaveBeenCalledTimes(2)
})

test('what is told to one alone is not remembered, nor what was refused, and of the rest the newest', () => {
  const decode = vi.fn((bytes: Uint8Array): Told => {
    const text = new TextDecoder().decode(bytes)
    if (text === 'bad') throw new Error('not protobuf')
    return text === 'other' ? { type: 'other' } : (left(text) as Told)
  })
  const once = decodingOnce(decode)
  for (const text of ['other', 'other', 'bad', 'bad']) {
    if (text === 'bad') expect(() => once(bytesOf(text), here)).toThrow()
    else once(bytesOf(text), here)
  }
  expect(decode).toHaveBeenCalledTimes(4)
  for (let number = 0; number <= 64; number++) once(bytesOf(`m${number}`), here)
  decode.mockClear()
  once(bytesOf('m1'), here)
  expect(decode).not.toHaveBeenCalled()
  once(bytesOf('m0'), here)
  expect(decode).toHaveBeenCalledOnce()
})
