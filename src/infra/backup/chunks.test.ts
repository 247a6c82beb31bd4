import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type ChunkSeal, checksummed, encrypting, openChunks, sealChunks } from './chunks.ts'

const about = Buffer.from('about the file')
const key = randomBytes(32)
const size = 64 * 1024
const sealedSize = size + 16

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
const sealed = (bytes: Buffer, seal: ChunkSeal) => buffer(sealChunks(inPieces(bytes, 10_000), seal))
const opened = (bytes: Buffer, seal: ChunkSeal) => buffer(openChunks(inPieces(bytes, 7_777), seal))

describe.each<[string, ChunkSeal, ChunkSeal]>([
  ['encrypted', encrypting(key, about), encrypting(key, Buffer.from('about another'))],
  ['with checksums', checksummed(about), checksummed(Buffer.from('about another'))],
])('chunks %s', (_how, seal, other) => {
  test.each([0, 1, size - 1, size, size + 1, 3 * size])('%i bytes come back', async (length) => {
    const bytes = randomBytes(length)
    const made = await sealed(bytes, seal)
    expect(made.length).toBe(length + 16 * Math.max(1, Math.ceil(length / size)))
    expect((await opened(made, seal)).equals(bytes)).toBe(true)
    await expect(opened(made, other)).rejects.toThrow('cut or changed')
  })

  test('a cut anywhere, a flip of any byte of a chunk, and chunks in another order are refused', async () => {
    const made = await sealed(randomBytes(2 * size + 5), seal)
    const [first, second, last] = [
      made.subarray(0, sealedSize),
      made.subarray(sealedSize, 2 * sealedSize),
      made.subarray(2 * sealedSize),
    ]
    const wrong = [
      ...[0, 1, 15, sealedSize - 1, sealedSize, 2 * sealedSize, made.length - 1].map((length) =>
        made.subarray(0, length),
      ),
      Buffer.concat([made, Buffer.from([0])]),
      Buffer.concat([second, first, last]),
      Buffer.concat([first, last]),
      Buffer.concat([first, first, last]),
      ...Array.from(last, (_, at) => flipped(made, 2 * sealedSize + at)),
      flipped(made, 0),
      flipped(made, sealedSize - 1),
    ]
    for (const bytes of wrong) await expect(opened(bytes, seal)).rejects.toThrow('cut or changed')
  })
})

test('what is encrypted cannot be read, and equal chunks look different', async () => {
  const made = await sealed(Buffer.alloc(2 * size, 'seal'), encrypting(key, about))
  expect(made.includes('seal')).toBe(false)
  expect(made.subarray(0, size).equals(made.subarray(sealedSize, sealedSize + size))).toBe(false)
})

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] as number) ^ 1
  return copy
}
