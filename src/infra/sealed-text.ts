import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from './sealed.ts'

/**
 * Secrets that must be shown or used again: the database contains them encrypted with the secret of the installation.
 */

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** @param purpose the place where the text is stored; a text that was sealed for another place cannot be opened */
export function sealText(seal: Seal, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(seal, purpose), nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @throws Error when the text was not sealed for this purpose with the secret of this installation */
export function openText(seal: Seal, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) throw new Error(`a sealed text of ${purpose} is cut`)
  const decipher = createDecipheriv(algorithm, keyOf(seal, purpose), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
  return Buffer.concat(text).toString('utf8')
}

/** 256 bits; each purpose has another key. */
function keyOf(seal: Seal, purpose: string): Buffer {
  return Buffer.from(seal(`sealed-text.${purpose}`), 'base64url')
}
