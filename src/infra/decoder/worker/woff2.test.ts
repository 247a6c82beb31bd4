import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { woff2 } from '../../../../test/media-files.ts'
import { woff2Fault } from './woff2.ts'

/** WOFF File Format 2.0, sections 3 to 5; the fonts of this test are only containers. (M9) */

test('a font whose container is sound to the byte passes', () => {
  expect(woff2Fault(woff2())).toBeNull()
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`t${n}`.padEnd(4), Buffer.alloc(n * 700, n)]))
  expect(woff2Fault(woff2({ tables: many }))).toBeNull()
})

const put = (at: number, value: number) => (font: Buffer) => {
  font.writeUInt32BE(value, at)
  return font
}
const behind = (bytes: Buffer) => (font: Buffer) => put(8, font.length + bytes.length)(Buffer.concat([font, bytes]))

const metadata = (says: number) => (font: Buffer) => {
  const block = brotliCompressSync(Buffer.from('<metadata/>'))
  const whole = Buffer.concat([font, block])
  for (const [at, value] of [
    [8, whole.length],
    [28, font.length],
    [32, block.length],
    [36, says],
  ] as const) {
    whole.writeUInt32BE(value, at)
  }
  return whole
}

test('metadata that the header tells of may stand behind the tables', () => {
  expect(woff2Fault(woff2({ changes: metadata(11) }))).toBeNull()
  expect(woff2Fault(woff2({ changes: metadata(12) }))).toBe('undecodable')
})

describe('refused are', () => {
  test.each([
    ['drawings in a font', woff2({ tables: { 'SVG ': Buffer.from('<svg/>') } }), 'type_unsupported'],
    ['more than 8 MiB', woff2({ tables: { glyx: Buffer.alloc(8 * 1024 * 1024) } }), 'too_complex'],
    ['a length that is not its own', woff2({ says: { length: 1_000 } }), 'undecodable'],
    ['more tables than there are', woff2({ says: { tables: 4 } }), 'undecodable'],
    ['fewer tables than there are', woff2({ says: { tables: 2 } }), 'undecodable'],
    ['no tables', woff2({ says: { tables: 0 } }), 'undecodable'],
    ['a size of the whole that is not its own', woff2({ says: { whole: 4 } }), 'undecodable'],
    ['tables larger than what is compressed', woff2({ says: { stored: 70 } }), 'undecodable'],
    ['tables smaller than what is compressed', woff2({ says: { stored: 3 } }), 'undecodable'],
    ['tables of gigabytes', woff2({ says: { stored: 200_000_000 } }), 'too_complex'],
    ['bytes behind the end', woff2({ changes: behind(Buffer.from('PK\x05\x06')) }), 'undecodable'],
    [
      'bytes that the header does not tell of',
      woff2({ changes: (font) => Buffer.concat([font, zero]) }),
      'undecodable',
    ],
    [
      'private data',
      woff2({ changes: (font) => put(44, 4)(put(40, font.length)(behind(Buffer.alloc(4))(font))) }),
      'undecodable',
    ],
    ['a collection', woff2({ changes: put(4, 0x74746366) }), 'undecodable'],
    [
      'a compressed part that is longer than it is',
      woff2({ changes: (font) => put(20, font.readUInt32BE(20) + 1)(font) }),
      'undecodable',
    ],
    ['a compressed part of nothing', woff2({ changes: put(20, 0) }), 'undecodable'],
    ['a compressed part beyond the end', woff2({ changes: put(20, 0xffffffff) }), 'undecodable'],
    ['a beginning', woff2().subarray(0, 40), 'undecodable'],
  ])('%s', (_, font, fault) => {
    expect(woff2Fault(font)).toBe(fault)
  })
})

const zero = Buffer.alloc(1)
