import { expect, test } from 'vitest'
import { withoutComments } from './vorbis.ts'

/** The headers of Vorbis, as Matroska laces them (RFC 9559, A_VORBIS). */

const identification = Buffer.from(`\x01vorbis${'i'.repeat(23)}`, 'latin1')
const setup = Buffer.from(`\x05vorbis${'s'.repeat(900)}`, 'latin1')
const laced = (length: number) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]
const headers = (comments: Buffer) =>
  Buffer.concat([
    Buffer.from([2, ...laced(identification.length), ...laced(comments.length)]),
    ...[identification, comments, setup],
  ])

test.each([0, 100, 255, 70_000])('comments of %i bytes are left out, and nothing else', (length) => {
  const comments = Buffer.from(`\x03vorbis${'c'.repeat(length)}`, 'latin1')
  const none = Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), Buffer.alloc(8), Buffer.from([1])])
  expect(Buffer.from(withoutComments(headers(comments))).equals(headers(none))).toBe(true)
})

test.each(['', '02', '02ff', '021e1e', '0101'])('what is laced otherwise is refused: %s', (hex) => {
  expect(() => withoutComments(Buffer.from(hex, 'hex'))).toThrow('no Vorbis headers')
})
