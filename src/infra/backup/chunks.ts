import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { BackupRefused } from './refused.ts'

/**
 * The body of a backup: chunks of one size, each with a tag that covers its place and whether it is the last. A file that
 * was cut, lengthened or changed, or whose chunks were exchanged, is therefore refused at the chunk where that shows.
 * (STREAM: Hoang, Reyhanitabar, Rogaway, Vizár 2015)
 */
export interface ChunkSeal {
  close(nonce: Buffer, chunk: Buffer): Buffer
  /** Null where the chunk is not what was sealed with this nonce. */
  open(nonce: Buffer, sealed: Buffer): Buffer | null
}

type Bytes = AsyncIterable<Buffer>

const chunkBytes = 64 * 1024
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/**
 * AES-256-GCM. Nonces are counted, so a key must serve one file only.
 * @param about what the tags cover as well: the beginning of the file
 */
export function encrypting(key: Buffer, about: Buffer): ChunkSeal {
  return {
    close(nonce, chunk) {
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(about)
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    },
    open(nonce, sealed) {
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(about).setAuthTag(sealed.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}

/** The chunks as they are, with half of their SHA-256: against damage, not against somebody who changes the file. */
export function checksummed(about: Buffer): ChunkSeal {
  const tagOf = (nonce: Buffer, chunk: Buffer) =>
    createHash('sha256').update(about).update(nonce).update(chunk).digest().subarray(0, tagBytes)
  return {
    close: (nonce, chunk) => Buffer.concat([chunk, tagOf(nonce, chunk)]),
    open(nonce, sealed) {
      const chunk = sealed.subarray(0, -tagBytes)
      return tagOf(nonce, chunk).equals(sealed.subarray(-tagBytes)) ? chunk : null
    },
  }
}

export async function* sealChunks(source: Bytes, seal: ChunkSeal): AsyncGenerator<Buffer> {
  for await (const { nonce, piece } of pieces(source, chunkBytes)) yield seal.close(nonce, piece)
}

/** @throws BackupRefused at the first chunk that is not as it was written */
export async function* openChunks(source: Bytes, seal: ChunkSeal): AsyncGenerator<Buffer> {
  let count = 0
  for await (const { nonce, piece } of pieces(source, chunkBytes + tagBytes)) {
    const chunk = piece.length < tagBytes ? null : seal.open(nonce, piece)
    if (chunk === null) throw new BackupRefused(faultAt(count))
    count++
    yield chunk
  }
}

function faultAt(count: number): string {
  return count === 0
    ? 'the passphrase is another one than that of the backup, or the file was cut or changed'
    : `the file was cut or changed after ${count * chunkBytes} bytes`
}

/** Pieces of one size. The last may be shorter, or empty. */
async function* pieces(source: Bytes, size: number): AsyncGenerator<{ nonce: Buffer; piece: Buffer }> {
  let held: Buffer = Buffer.alloc(0)
  let count = 0
  for await (const bytes of source) {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    for (; held.length > size; held = held.subarray(size)) {
      yield { nonce: nonceOf(count++, false), piece: held.subarray(0, size) }
    }
  }
  yield { nonce: nonceOf(count, true), piece: held }
}

function nonceOf(count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(count, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}
