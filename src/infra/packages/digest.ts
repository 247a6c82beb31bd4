import { createHash } from 'node:crypto'
import type { Digest } from '../../core/packages/verify.ts'

/** SHA-256 by Node.js. */
export function sha256Digest(): Digest {
  const hash = createHash('sha256')
  return { update: (piece) => void hash.update(piece), end: async () => hash.digest('hex') }
}
