import { knownFrom, type PublishedKey } from '../../../src/core/packages/signatures.ts'
import { type Verified, verifyPackage } from '../../../src/core/packages/verify.ts'
import { Problem } from '../../../src/core/problem.ts'
import { sha256 } from '../parts/sha256.ts'

/** Checks a package as `downbeat package verify` does, in the browser alone. (P2) */

export type { Verified }

/**
 * @param keys those of this service
 * @param onFile called before each file, with how many have been read
 * @returns what is wrong with the file, in words, as a text
 */
export async function check(
  file: File,
  keys: readonly PublishedKey[],
  service: string,
  onFile: (count: number) => void,
): Promise<Verified | string> {
  let count = 0
  const counted = () => {
    onFile(count++)
    return digest()
  }
  try {
    return await verifyPackage(file, knownFrom(keys, service), counted)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Web Crypto takes a text whole: parts of a package are of some megabytes. */
function digest() {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  return {
    update: (piece: Uint8Array) => void pieces.push(new Uint8Array(piece)),
    end: async () => sha256(await new Blob(pieces).arrayBuffer()),
  }
}
