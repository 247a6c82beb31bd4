import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Random secrets, and functions that compare and hide them. */

/** 256 bits, as 43 characters that need no escaping in a cookie or an address. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

const typed = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 40 bits, as eight letters and digits for people to type, without characters that look alike. */
export function newTypedCode(): string {
  return Array.from(randomBytes(8), (byte) => typed.charAt(byte % typed.length)).join('')
}

/** SHA-256. A secret of 256 bits cannot be guessed, so a plain digest is enough to hide it. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** S256 of RFC 7636 §4.2. */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b))
}
