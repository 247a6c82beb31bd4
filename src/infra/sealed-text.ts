import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from './sealed.ts'

/** Secrets that must be shown or used again: in the database they stand encrypted by the secret of the installation. */

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** @param purpose binds the text to where it is kept: what was sealed for another place is not opened */
export function sealText(seal: Seal, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(seal, purpose), nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @throws Error for what was not sealed here for this purpose, such as where the installation's secret is another one */
export function openText(seal: Seal, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) throw new Error(`a sealed text of ${purpose} is cut`)
  const decipher = createDecipheriv(algorithm, keyOf(seal, purpose), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
  return Buffer.concat(text).toString('utf8')
}

/** 256 bits, another key for each purpose. */
function keyOf(seal: Seal, purpose: string): Buffer {
  return Buffer.from(seal(`sealed-text.${purpose}`), 'base64url')
}
